package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.XxHash64;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32;

/// The published ways to put backends on a ring, by their ids and weights.
///
/// Cost: one hash a point. Owner thread: any (no state).
final class RingPoints {
  /// Points of one unit of weight in nginx, and of a mean backend with ketama.
  private static final int POINTS = 160;

  private static final int POINTS_PER_MD5 = 4;
  private static final String UNIX = "unix:";

  private RingPoints() {}

  /// Envoy's and gRPC's: the lightest backend gets a whole number of points, and all together at
  /// least `minSize`, at most `maxSize`, by running sums of what is due; each is XXH64 of the id,
  /// `_` and its number.
  ///
  /// Source: Envoy ring_hash_lb.cc, commit 0d2acde; gRFC A42.
  static HashRing envoys(BackendSet backends, int minSize, int maxSize) {
    HashRing.Points points = new HashRing.Points();
    double sum = sumOfWeights(backends);
    double least = 1;
    for (int i = 0; i < backends.size(); i++) {
      least = Math.min(least, backends.get(i).weight() / sum);
    }
    double scale = Math.min(Math.ceil(least * minSize) / least, maxSize);
    double due = 0;
    int made = 0;
    for (int i = 0; i < backends.size(); i++) {
      due += scale * (backends.get(i).weight() / sum);
      String prefix = backends.get(i).id() + '_';
      for (int number = 0; made < due; number++) {
        points.add(XxHash64.of(prefix + number, 0), i);
        made++;
      }
    }
    return points.ring(HashRing.ALL_BITS);
  }

  /// Those of memcached's clients: 40 MD5 sums for a backend of mean weight, of its id, `-` and
  /// their number, four points of 32 bits from each.
  ///
  /// Source: libmemcached src/libmemcached/hosts.cc (`update_continuum`, weighted ketama), commit
  /// 374774d, with its arithmetic in single precision; RJ/ketama.
  static HashRing ketama(BackendSet backends) {
    HashRing.Points points = new HashRing.Points();
    MessageDigest md5 = md5();
    float sum = (float) sumOfWeights(backends);
    for (int i = 0; i < backends.size(); i++) {
      float share = backends.get(i).weight() / sum;
      float due = share * POINTS / POINTS_PER_MD5 * backends.size() + 0.0000000001F;
      int sums = (int) Math.floor(due);
      for (int number = 0; number < sums; number++) {
        byte[] digest =
            md5.digest((backends.get(i).id() + '-' + number).getBytes(StandardCharsets.UTF_8));
        for (int part = 0; part < POINTS_PER_MD5; part++) {
          points.add(littleEndian(digest, Integer.BYTES * part), i);
        }
      }
    }
    return points.ring(HashRing.LOW_BITS);
  }

  /// nginx's: 160 points for each unit of weight, each CRC-32 of host, a zero byte, port, and the
  /// point before.
  ///
  /// Source: nginx 1.31.4 ngx_http_upstream_hash_module.c (`ngx_http_upstream_update_chash`).
  static HashRing nginxs(BackendSet backends) {
    HashRing.Points points = new HashRing.Points();
    CRC32 crc = new CRC32();
    for (int i = 0; i < backends.size(); i++) {
      byte[] name = hostZeroPort(backends.get(i).id()).getBytes(StandardCharsets.UTF_8);
      long previous = 0;
      for (int number = 0; number < POINTS * backends.get(i).weight(); number++) {
        crc.reset();
        crc.update(name);
        for (int part = 0; part < Integer.BYTES; part++) {
          crc.update((int) (previous >>> (8 * part)) & 0xFF);
        }
        previous = crc.getValue();
        points.add(previous, i);
      }
    }
    return points.ring(HashRing.LOW_BITS);
  }

  /// `host:80` with a zero in place of its colon; a zero after what has no port.
  private static String hostZeroPort(String id) {
    if (id.regionMatches(true, 0, UNIX, 0, UNIX.length())) {
      return id.substring(UNIX.length()) + '\0';
    }
    int at = id.length() - 1;
    while (at >= 0 && id.charAt(at) >= '0' && id.charAt(at) <= '9') {
      at--;
    }
    return at >= 0 && id.charAt(at) == ':'
        ? id.substring(0, at) + '\0' + id.substring(at + 1)
        : id + '\0';
  }

  private static double sumOfWeights(BackendSet backends) {
    double sum = 0;
    for (int i = 0; i < backends.size(); i++) {
      sum += backends.get(i).weight();
    }
    return sum;
  }

  /// An unsigned number of 32 bits.
  static long littleEndian(byte[] bytes, int from) {
    long value = 0;
    for (int i = Integer.BYTES - 1; i >= 0; i--) {
      value = (value << Byte.SIZE) | Byte.toUnsignedLong(bytes[from + i]);
    }
    return value;
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("MD5: missing (expected: in every Java platform)", missing);
    }
  }
}
