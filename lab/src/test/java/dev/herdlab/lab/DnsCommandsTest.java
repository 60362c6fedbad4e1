package dev.herdlab.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.herdlab.dns.DnsServer;
import dev.herdlab.dns.Rotation;
import dev.herdlab.dns.ServedFiles;
import dev.herdlab.dns.Skew;
import dev.herdlab.lab.report.DnsSkewReport;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.result.DnsSkewResult;
import dev.herdlab.simulator.Quantiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/// The commands below `dns`, against a real server on loopback.
class DnsCommandsTest {
  private static final Path ZONES = Program.HOME.resolve("examples/dns");

  @TempDir Path folder;

  private DnsServer server;
  private String address;

  @BeforeEach
  void serve() {
    ServedFiles files =
        ServedFiles.parse(
            List.of("example.test=" + ZONES.resolve("example.zone")),
            List.of("10.0.0.0/8=" + ZONES.resolve("inside.zone")));
    server =
        new DnsServer(
            files,
            DnsServer.listenAddress("127.0.0.1:0"),
            Rotation.CYCLIC,
            _ -> 0,
            System::nanoTime);
    server.start();
    address = "127.0.0.1:" + server.port();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static JsonNode fitting(String schema, String text) throws IOException {
    JsonNode document = new ObjectMapper().readTree(text);
    Path file = Program.HOME.resolve("docs/schema/" + schema + ".schema.json");
    assertThat(
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(Files.readString(file))
                .validate(document))
        .isEmpty();
    return document;
  }

  @Test
  void rotationCountsFirstAddresses() throws IOException {
    Program program =
        Program.run("dns", "rotation", "www.example.test", "--server", address, "--format", "json");
    JsonNode json = fitting("dns-rotation", program.out());

    assertThat(program.exitCode()).isZero();
    assertThat(json.get("format").asText()).isEqualTo("herdlab.dns-rotation/1");
    assertThat(json.get("count").asInt()).isEqualTo(20);
    assertThat(json.get("addresses").asInt()).isEqualTo(3);
    assertThat(json.get("ttl_seconds").get("max").asInt()).isEqualTo(5);
    assertThat(json.get("first").findValues("count"))
        .extracting(JsonNode::asInt)
        .containsExactly(7, 7, 6);
  }

  @Test
  void rotationAsTextIsATable() {
    Program program =
        Program.run(
            "dns",
            "rotation",
            "www.example.test",
            "--server",
            address,
            "--count",
            "4",
            "--type",
            "AAAA");

    assertThat(program.out())
        .isEqualTo(
            "www.example.test. AAAA, asked 4 times of "
                + address
                + "\n1 address, 1 in an answer; TTL 5 s\n\n"
                + "address      first   share\n"
                + "2001:db8::1      4   100 %  "
                + "#".repeat(40)
                + "\n");
  }

  @Test
  void subnetsAreToldApartWithTheirScopes() throws IOException {
    Program program =
        Program.run(
            "dns",
            "subnet",
            "www.example.test",
            "--server",
            address,
            "--subnet",
            "10.1.0.0/16",
            "--subnet",
            "2001:db8::/32",
            "--format",
            "json");
    JsonNode json = fitting("dns-subnet", program.out());

    assertThat(json.get("different_answers").asInt()).isEqualTo(2);
    assertThat(json.get("subnets").get(0).get("scope").asInt()).isEqualTo(8);
    assertThat(json.get("subnets").get(0).get("addresses").get(0).asText()).isEqualTo("10.0.0.1");
    assertThat(json.get("subnets").get(1).get("scope").asInt()).isZero();
    assertThat(json.get("subnets").get(1).get("subnet").asText()).isEqualTo("2001:db8::/32");
  }

  @Test
  void subnetAsTextHasFourSubnetsUnlessTold() {
    Program program = Program.run("dns", "subnet", "web.example.test", "--server", address);

    assertThat(program.out())
        .startsWith("web.example.test. A, asked of " + address + " for 4 subnets: the same")
        .contains("\nsubnet           scope  TTL  addresses\n", "\n203.0.113.0/24   /1     5 s  ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rotation nope.example.test|nope.example.test.: does not exist (server ",
        "rotation ns.example.test --type AAAA|ns.example.test.: has no AAAA records (server ",
        "rotation www.elsewhere|www.elsewhere.: ",
        "subnet nope.example.test|nope.example.test.: does not exist (server ",
      })
  void whatHasNoAnswerIsOneLineAndExitCodeOne(String command, String message) {
    Program program = Program.run(("dns " + command + " --server " + address).split(" "));

    assertThat(program.err()).startsWith("herdlab: " + message).hasLineCount(1);
    assertThat(program.out()).isEmpty();
    assertThat(program.exitCode()).isEqualTo(ExitCode.INTERNAL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rotation|Missing required parameter: 'NAME'",
        "rotation a..b|NAME: a..b (expected: a DNS name)",
        "rotation a --server x:1|--server: x:1 (expected: ADDRESS or ADDRESS:PORT)",
        "rotation a --count 0|--count: 0 (expected: 1 to 10000)",
        "rotation a --type MX|Invalid value for option '--type'",
        "subnet a --subnet 10.1.0.0/8|--subnet: 10.1.0.0/8 (expected: 10.0.0.0/8, the block's first address)",
        "serve|Missing required option: '--zone=ORIGIN=FILE'",
        "serve --zone a|--zone: a (expected: ORIGIN=FILE, e.g. example.test=example.zone)",
        "serve --zone a=b --subnet c|--subnet: c (expected: CIDR=FILE, e.g. 10.0.0.0/8=inside.zone)",
        "serve --zone a=b --listen 1|--listen: 1 (expected: ADDRESS:PORT)",
        "serve --zone a=b --rotation up|--rotation: up (expected: none, cyclic, random)",
        "serve --zone a=b --until x|--until: x (expected: signal or stdin)",
        "serve --zone a=nope.zone|nope.zone: no such file (expected: a readable zone file)",
        "skew --set ttl=x|--set ttl: x (expected: a whole number from 0 to 1000000)",
        "skew --out x|--out: without --http (expected: both, or none)",
        "rotate|rotate: unknown command (expected: perhaps rotation)",
        "|dns: no command (expected: rotation, subnet, serve, skew)",
      })
  void badUsageIsOneLineAndExitCodeTwo(String command, String message) {
    String arguments = command == null ? "dns" : "dns " + command;
    Program program = Program.run(arguments.split(" "));

    assertThat(program.err()).startsWith("herdlab: " + message).hasLineCount(1);
    assertThat(program.out()).isEmpty();
    assertThat(program.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void portInUseIsOneLine() {
    Program program =
        Program.run(
            "dns", "serve", "--zone", "a.b=" + ZONES.resolve("example.zone"), "--listen", address);

    assertThat(program.err())
        .startsWith("herdlab: " + address + ": ")
        .contains("in use", "(expected: ")
        .hasLineCount(1);
    assertThat(program.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  @Timeout(60)
  void serveSaysItsPortAndEndsWithItsInput() throws Exception {
    CompletableFuture<Integer> ended;
    String served;
    try (PipedOutputStream keyboard = new PipedOutputStream();
        PipedWriter out = new PipedWriter();
        BufferedReader lines = new BufferedReader(new PipedReader(out))) {
      CommandLine serve = new CommandLine(new DnsServeCommand(new PipedInputStream(keyboard)));
      serve.setOut(new PrintWriter(out, true));
      String zone = "example.test=" + ZONES.resolve("example.zone");
      ended =
          CompletableFuture.supplyAsync(() -> serve.execute("--zone", zone, "--until", "stdin"));
      JsonNode ready = new ObjectMapper().readTree(lines.readLine());
      served = "127.0.0.1:" + ready.get("ports").get(0).asInt();

      assertThat(ready.get("event").asText()).isEqualTo("ready");
      assertThat(ready.get("component").asText()).isEqualTo("dns");
      assertThat(ready.get("zones").get(0).asText()).isEqualTo("example.test.");
      assertThat(Program.run("dns", "rotation", "www.example.test", "--server", served).exitCode())
          .isZero();
    }

    assertThat(ended.get()).isZero();
    assertThat(Program.run("dns", "rotation", "www.example.test", "--server", served).err())
        .contains("no server there");
  }

  @Test
  void skewIsMeasuredAndModelled() throws IOException {
    Program program =
        Program.run(
            "dns",
            "skew",
            "--format",
            "json",
            "--set",
            "requests=300",
            "--set",
            "ttl=0,1000",
            "--set",
            "rotation=cyclic,random,none");
    JsonNode json = fitting("dns-skew", program.out());

    assertThat(program.exitCode()).isZero();
    assertThat(json.get("cells")).hasSize(6).allMatch(cell -> cell.get("agrees").asBoolean());
    JsonNode even = json.get("cells").get(0);
    // 300 requests on 16 proxies in turn: 12 of them get 19, the others 18; the mean is 18.75.
    assertThat(even.get("measured").get("skew").asDouble()).isEqualTo(19 / 18.75);
    assertThat(even.get("questions").asInt()).isEqualTo(300);
    assertThat(json.get("cells").get(1).get("questions").asInt()).isEqualTo(20);
    assertThat(json.get("cells").get(5).get("measured").get("skew").asDouble()).isEqualTo(16.0);
    assertThat(json.get("cells").get(5).get("measured").get("idle_proxies").asInt()).isEqualTo(15);
  }

  @Test
  void experimentOfTheSourceTreeIsReadWithAllItsKeys() {
    Program program =
        Program.run(
            "dns",
            "skew",
            Program.HOME.resolve("experiments/dns-rotation.yaml").toString(),
            "--set",
            "requests=100",
            "--set",
            "ttl=3");

    assertThat(program.err()).isEmpty();
    assertThat(program.out())
        .startsWith("16 proxies found through DNS, 100 requests, 12.8 a unit;")
        .contains("\ncyclic    20       3    ", "\nThe model agrees with every row.\n");
  }

  @Test
  void requestsAreSentThroughTheProxiesThatDnsNamed() throws IOException {
    Path out = folder.resolve("out");
    Program program =
        Program.run(
            "dns",
            "skew",
            "--http",
            "--out",
            out.toString(),
            "--format",
            "json",
            "--set",
            "requests=200",
            "--set",
            "rotation=none",
            "--set",
            "ttl=1",
            "--set",
            "proxies=3",
            "--set",
            "backends=2",
            "--set",
            "unit=5ms",
            "--set",
            "burn-in=0s",
            "--set",
            "attempts=1");
    JsonNode cell = fitting("dns-skew", program.out()).get("cells").get(0);
    JsonNode run =
        new ObjectMapper().readTree(out.resolve("row-1").resolve("summary.json").toFile());

    // Whether the run is valid is the machine's affair.
    assertThat(program.exitCode()).isIn(ExitCode.OK, ExitCode.NOT_VALID);
    assertThat(cell.get("http").get("measured").get("p50").asDouble()).isPositive();
    assertThat(run.get("cells").get(0).get("proxies").asInt()).isEqualTo(3);
    assertThat(run.get("cells").get(0).get("accounting").get("sent").asInt()).isEqualTo(200);
    assertThat(proxies(out.resolve("row-1").resolve("requests.csv.gz"))).containsOnly("0");
  }

  private static List<String> proxies(Path requests) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(requests)), StandardCharsets.UTF_8))) {
      List<String> lines = in.lines().filter(line -> !line.startsWith("#")).toList();
      int column = List.of(lines.getFirst().split(",", -1)).indexOf("proxy");
      return lines.stream().skip(1).map(line -> line.split(",", -1)[column]).toList();
    }
  }

  @Test
  void rowThatIsNotValidSaysWhy() throws IOException {
    Quantiles latency = new Quantiles(1, 2, 3, 1.5);
    CellResult.Spread spread = new CellResult.Spread(1.5, 0, false);
    DnsSkewResult result =
        new DnsSkewResult(
            2,
            10,
            1,
            0,
            25,
            List.of(
                new DnsSkewResult.Row(
                    "cyclic",
                    1,
                    5,
                    2,
                    new Skew(1.6, 0.6, 0, 1.6),
                    new DnsSkewResult.Model(1, 3, spread, spread, spread),
                    Optional.of(
                        new DnsSkewResult.Http(
                            latency, latency, new CellResult.Verdict(List.of("A stall.")))))));

    assertThat(DnsSkewReport.text(result))
        .contains("The model does not agree with 1 of 1 rows.")
        .contains("Not valid: cyclic, 1 clients, TTL 5:\n  A stall.\n");
    fitting("dns-skew", DnsSkewReport.json(result));
  }

  @Test
  void helpOfEachCommandSaysItsExitCodes() {
    for (String command : List.of("rotation", "subnet", "skew")) {
      assertThat(Program.run(Map.of(), "dns", command, "--help").out()).contains("Exit codes: 1 ");
    }
  }
}
