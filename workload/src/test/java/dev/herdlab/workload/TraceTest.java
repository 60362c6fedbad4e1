package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceTest {
  private static final long UNIT_NANOS = 10_000_000;

  @TempDir private Path folder;

  private static Trace trace(long seed, int requests, int proxies, String law) {
    ArrivalProcess arrivals = ArrivalProcess.parse("poisson", 12.8, UNIT_NANOS);
    return Trace.generate(seed, requests, proxies, arrivals, ServiceLaw.parse(law), UNIT_NANOS);
  }

  private static long[] column(Trace trace, IntToLongFunction column) {
    return IntStream.range(0, trace.size()).mapToLong(column).toArray();
  }

  private Path file(String content) throws IOException {
    Path file = folder.resolve("trace.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  @Test
  void theDefaultPlanOfSeedOneIsTheSameEverywhere() {
    assertThat(trace(1, 10_000, 16, "lognormal").sha256())
        .isEqualTo("2b111cad5b12913d8e8b8c665d3aec9a1ee211084dc264d02811fcca007d7452");
  }

  @Test
  void eachColumnHasItsOwnStream() {
    Trace trace = trace(3, 1000, 16, "lognormal");
    Trace otherProxies = trace(3, 1000, 4, "lognormal");
    Trace otherLaw = trace(3, 1000, 16, "pareto");
    assertThat(column(otherProxies, otherProxies::intendedNanos))
        .isEqualTo(column(trace, trace::intendedNanos));
    assertThat(column(otherProxies, otherProxies::serviceNanos))
        .isEqualTo(column(trace, trace::serviceNanos));
    assertThat(column(otherLaw, otherLaw::proxy)).isEqualTo(column(trace, trace::proxy));
    assertThat(column(otherLaw, otherLaw::serviceNanos))
        .isNotEqualTo(column(trace, trace::serviceNanos));
  }

  @Test
  void aLongerPlanBeginsWithTheShorter() {
    Trace shorter = trace(4, 100, 16, "lognormal");
    Trace longer = trace(4, 200, 16, "lognormal");
    assertThat(Arrays.copyOf(column(longer, longer::intendedNanos), 100))
        .isEqualTo(column(shorter, shorter::intendedNanos));
    assertThat(Arrays.copyOf(column(longer, longer::serviceNanos), 100))
        .isEqualTo(column(shorter, shorter::serviceNanos));
  }

  @Test
  void everyProxyGetsItsShare() {
    Trace trace = trace(5, 16_000, 16, "lognormal");
    int[] counts = new int[16];
    for (int i = 0; i < trace.size(); i++) {
      counts[trace.proxy(i)]++;
    }
    // Binomial, deviation 30.6: five of them, 6e-7.
    assertThat(counts).hasSize(16);
    for (int count : counts) {
      assertThat(count).isBetween(1000 - 153, 1000 + 153);
    }
  }

  @Test
  void writingAndReadingChangesNothing() throws IOException {
    Trace trace = trace(6, 5000, 16, "lognormal");
    Path file = folder.resolve("trace.csv.gz");
    trace.write(file);
    Trace read = Trace.read(file);
    assertThat(read.sha256()).isEqualTo(trace.sha256());
    assertThat(read.size()).isEqualTo(5000);
    assertThat(read.proxies()).isEqualTo(16);
    assertThat(read.lastIntendedNanos()).isEqualTo(trace.lastIntendedNanos());
    assertThat(column(read, read::serviceNanos)).isEqualTo(column(trace, trace::serviceNanos));
  }

  @Test
  void theHashSeesEveryColumn() {
    String hash = Trace.of(2, new long[] {1, 2}, new int[] {0, 1}, new long[] {5, 6}).sha256();
    assertThat(Trace.of(2, new long[] {1, 3}, new int[] {0, 1}, new long[] {5, 6}).sha256())
        .isNotEqualTo(hash);
    assertThat(Trace.of(2, new long[] {1, 2}, new int[] {1, 1}, new long[] {5, 6}).sha256())
        .isNotEqualTo(hash);
    assertThat(Trace.of(2, new long[] {1, 2}, new int[] {0, 1}, new long[] {5, 7}).sha256())
        .isNotEqualTo(hash);
  }

  @Test
  void readsColumnsByNameInAnyOrderWithOrWithoutTenant() throws IOException {
    Trace trace =
        Trace.read(file("service_ns,note,proxy,i,intended_ns\r\n7,x,3,0,10\r\n8,,0,1,10"));
    assertThat(column(trace, trace::serviceNanos)).containsExactly(7, 8);
    assertThat(column(trace, trace::intendedNanos)).containsExactly(10, 10);
    assertThat(column(trace, trace::tenant)).containsExactly(Trace.NO_TENANT, Trace.NO_TENANT);
    assertThat(trace.proxies()).isEqualTo(4);
    Trace tenants = Trace.read(file("i,intended_ns,proxy,service_ns,tenant\n0,1,0,1,9\n"));
    assertThat(tenants.tenant(0)).isEqualTo(9);
    assertThat(tenants.key(0)).isEqualTo("t9");
  }

  private static Trace withTenants(long seed, String tenants) {
    return Trace.generate(
        seed,
        1000,
        4,
        ProxyLaw.UNIFORM,
        ArrivalProcess.parse("poisson", 12.8, UNIT_NANOS),
        ServiceLaw.parse("lognormal"),
        TenantLaw.parse(tenants),
        UNIT_NANOS);
  }

  @Test
  void tenantsHaveAStreamOfTheirOwnAndOutliveAFile() throws IOException {
    Trace none = withTenants(8, "none");
    Trace some = withTenants(8, "uniform(n=5)");
    assertThat(column(some, some::intendedNanos)).isEqualTo(column(none, none::intendedNanos));
    assertThat(column(some, some::proxy)).isEqualTo(column(none, none::proxy));
    assertThat(column(some, some::serviceNanos)).isEqualTo(column(none, none::serviceNanos));
    assertThat(column(none, none::tenant)).containsOnly(Trace.NO_TENANT);
    assertThat(column(some, some::tenant)).containsOnly(1, 2, 3, 4, 5);
    assertThat(some.sha256()).isNotEqualTo(none.sha256());

    Path file = folder.resolve("tenants.csv.gz");
    some.write(file);
    Trace read = Trace.read(file);
    assertThat(read.sha256()).isEqualTo(some.sha256());
    assertThat(column(read, read::tenant)).isEqualTo(column(some, some::tenant));
  }

  @Test
  void aRequestWithoutATenantHasNoKey() {
    Trace trace =
        Trace.of(1, new long[2], new int[2], new long[2], new int[] {Trace.NO_TENANT, 17});
    assertThat(trace.key(0)).isEmpty();
    assertThat(trace.key(1)).isEqualTo("t17");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trace.of(1, new long[1], new int[1], new long[1], new int[1]))
        .withMessage("tenant: 0 (expected: >= 1, or -1 for none)");
  }

  @Test
  void aPlanOfNothingCanBeWrittenAndRead() throws IOException {
    Path file = folder.resolve("empty.csv.gz");
    trace(7, 0, 1, "lognormal").write(file);
    assertThat(Trace.read(file).size()).isZero();
    assertThat(Trace.read(file).lastIntendedNanos()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,5,0,7,0           | 2: i: 1 (expected: 0)",
        "0,5,0,7,0/2,6,0,7,0 | 3: i: 2 (expected: 1)",
        "0,5,0,7             | 2: 4 fields (expected: 5)",
        "0,x,0,7,0           | 2: intended_ns: x (expected: a whole number)",
        "0,5,0,1.5,0         | 2: service_ns: 1.5 (expected: a whole number)",
        "0,5,0,-1,0          | 2: service_ns: -1 (expected: >= 0)",
        "0,5,-1,7,0          | 2: proxy: -1 (expected: >= 0)",
        "0,5,2147483648,7,0  | 2: proxy: 2147483648 (expected: at most 2147483647)",
        "0,-5,0,7,0          | 2: intended_ns: -5 (expected: >= 0, the one before)",
        "0,5,0,7,0/1,4,0,7,0 | 3: intended_ns: 4 (expected: >= 5, the one before)",
        "0,5,0,7,-2          | 2: tenant: -2 (expected: >= 1, or 0 for none)"
      })
  void namesFileAndLineOfWhatIsWrong(String lines, String message) throws IOException {
    Path file = file("i,intended_ns,proxy,service_ns,tenant\n" + lines.replace('/', '\n') + "\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trace.read(file))
        .withMessage(file + ":" + message);
  }

  @Test
  void namesAMissingColumn() throws IOException {
    Path file = file("i,intended_ns,proxy\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trace.read(file))
        .withMessage(file + ":1: no column service_ns (expected: a header with service_ns)");
    Path empty = file("");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trace.read(empty))
        .withMessage(empty + ":1: no column i (expected: a header with i)");
  }

  @Test
  void refusesWhatIsNoGzipOrIsCutOff() throws IOException {
    Path plain = folder.resolve("plain.csv");
    Files.writeString(plain, "i,intended_ns,proxy,service_ns\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trace.read(plain))
        .withMessage(plain + ": no gzip (expected: gzipped CSV)");
    Path cut = folder.resolve("cut.csv.gz");
    trace(8, 1000, 4, "lognormal").write(cut);
    byte[] bytes = Files.readAllBytes(cut);
    Files.write(cut, Arrays.copyOf(bytes, bytes.length / 2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trace.read(cut))
        .withMessageMatching(
            "\\Q" + cut + "\\E:\\d+: damaged or cut off \\(expected: gzipped CSV\\)");
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> Trace.read(folder.resolve("nowhere")));
  }

  @Test
  void aLineWithoutEndIsRefusedBeforeItFillsTheMemory() throws IOException {
    Path file = folder.resolve("long.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      byte[] ones = new byte[1 << 20];
      Arrays.fill(ones, (byte) '1');
      for (int i = 0; i < 64; i++) {
        out.write(ones);
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trace.read(file))
        .withMessage(file + ":1: a longer line (expected: at most 65536 characters)");
  }

  @Test
  void refusesSizesOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> trace(1, -1, 1, "lognormal"))
        .withMessage("requests: -1 (expected: 0 to 10000000)");
    assertThatIllegalArgumentException().isThrownBy(() -> trace(1, 10_000_001, 1, "lognormal"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> trace(1, 1, 0, "lognormal"))
        .withMessage("proxies: 0 (expected: >= 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trace.of(1, new long[] {1}, new int[] {1}, new long[] {1}))
        .withMessage("proxies: 1 (expected: >= 2, which occur)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trace.of(1, new long[] {1}, new int[] {}, new long[] {1}));
  }

  @Test
  void mayHaveProxiesThatGetNoRequest() {
    Trace two = Trace.of(2, new long[] {1, 2}, new int[] {0, 1}, new long[] {3, 4});

    Trace four = two.withProxies(4);

    assertThat(four.proxies()).isEqualTo(4);
    assertThat(four.sha256()).isEqualTo(two.sha256());
    assertThat(four.withProxies(2).proxies()).isEqualTo(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> two.withProxies(1))
        .withMessage("proxies: 1 (expected: >= 2, which occur)");
  }
}
