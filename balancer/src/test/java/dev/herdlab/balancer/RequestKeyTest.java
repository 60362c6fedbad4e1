package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// XXH64 against the vectors of xxHash's own sanity check, and keys made of it.
final class RequestKeyTest {
  private static final long PRIME_32 = 2_654_435_761L;
  private static final long PRIME_64 = 0x9E3779B185EBCA8DL;

  /// The buffer of xxHash `cli/xsum_sanity_check.c`.
  private static byte[] sanityBuffer(int length) {
    byte[] buffer = new byte[length];
    long generator = PRIME_32;
    for (int i = 0; i < length; i++) {
      buffer[i] = (byte) (generator >>> 56);
      generator *= PRIME_64;
    }
    return buffer;
  }

  /// xxHash `cli/xsum_sanity_check.c`, table `XSUM_XXH64_testdata`, commit b2e9dbb.
  @ParameterizedTest
  @CsvSource({
    "0, 0, EF46DB3751D8E999",
    "0, 2654435761, AC75FDA2929B17EF",
    "1, 0, E934A84ADB052768",
    "1, 2654435761, 5014607643A9B4C3",
    "4, 0, 9136A0DCA57457EE",
    "14, 0, 8282DCC4994E35C8",
    "14, 2654435761, C3BD6BF63DEB6DF0",
    "222, 0, B641AE8CB691C174",
    "222, 2654435761, 20CB8AB7AE10C14A"
  })
  void hashesAsXxHashsSanityCheckDoes(int length, long seed, String expected) {
    assertThat(XxHash64.of(sanityBuffer(222), 0, length, seed))
        .isEqualTo(Long.parseUnsignedLong(expected, 16));
  }

  /// ClickHouse `00803_xxhash.sql`, and xxHash's for the empty text.
  @Test
  void hashesTextsAsOthersDo() {
    assertThat(XxHash64.of("", 0)).isEqualTo(0xEF46DB3751D8E999L);
    assertThat(XxHash64.of("ABC", 0)).isEqualTo(0xE66AE7354FCFEE98L);
    assertThat(XxHash64.of("xxhash", 0)).isEqualTo(0x32DD38952C4BC720L);
  }

  @Test
  void hashesALongAsItsEightBytes() {
    byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8};

    assertThat(XxHash64.of(0x0807060504030201L, 42)).isEqualTo(XxHash64.of(bytes, 0, 8, 42));
  }

  @Test
  void hashesTheBytesThatAreNamedAndNoOthers() {
    byte[] buffer = sanityBuffer(222);

    for (int length = 0; length < 80; length++) {
      byte[] alone = Arrays.copyOfRange(buffer, 17, 17 + length);
      assertThat(XxHash64.of(buffer, 17, 17 + length, 9))
          .isEqualTo(XxHash64.of(alone, 0, length, 9));
    }
    assertThatThrownBy(() -> XxHash64.of(buffer, 200, 223, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aKeyIsTheSameFromTextAndFromBytes() {
    byte[] bytes = "tenant-ü".getBytes(StandardCharsets.UTF_8);

    assertThat(RequestKey.of("tenant-ü")).isEqualTo(RequestKey.of(bytes));
    assertThat(RequestKey.of("t1")).isEqualTo(XxHash64.of("t1", 0)).isNotEqualTo(RequestKey.NONE);
  }

  /// XXH64 maps eight bytes to a hash one to one; these are the eight that it maps to 0.
  @Test
  void aKeyIsNeverZero() {
    byte[] toZero = {0, 0, 0, 0, 0, 0, 0, 0};
    long lane = laneOfHashZero();
    for (int i = 0; i < 8; i++) {
      toZero[i] = (byte) (lane >>> (8 * i));
    }

    assertThat(XxHash64.of(toZero, 0, 8, 0)).isZero();
    assertThat(RequestKey.of(toZero)).isEqualTo(1);
  }

  /// Its steps for one lane, backwards: the avalanche leaves 0 only for 0.
  private static long laneOfHashZero() {
    long prime1 = 0x9E3779B185EBCA87L;
    long prime2 = 0xC2B2AE3D27D4EB4FL;
    long prime4 = 0x85EBCA77C2B2AE63L;
    long prime5 = 0x27D4EB2F165667C5L;
    long mixed = Long.rotateRight(-prime4 * inverse(prime1), 27) ^ (prime5 + 8);
    return Long.rotateRight(mixed * inverse(prime1), 31) * inverse(prime2);
  }

  /// Of an odd number, modulo 2^64, by Newton's rule: each step doubles the bits that are right.
  private static long inverse(long odd) {
    long inverse = odd;
    for (int i = 0; i < 6; i++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
