package dev.herdlab.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Bad input ends with exit code 2, one line on stderr, and nothing on stdout.
class BadInputTest {
  @TempDir Path folder;

  private static String algorithms() {
    return Algorithms.builtIn().all().stream()
        .map(algorithm -> algorithm.description().name())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  static Stream<Arguments> files() {
    String known = algorithms();
    return Stream.of(
        bad("name: x\nrho: fast", ":2: rho: fast (expected: a number above 0)"),
        bad("rho: -1", ":1: rho: -1 (expected: a number above 0)"),
        bad("rho:", ":1: rho: nothing (expected: a number above 0)"),
        bad("rho: 0.8f", ":1: rho: 0.8f (expected: a number above 0)"),
        bad("rho: 0x1p-1", ":1: rho: 0x1p-1 (expected: a number above 0)"),
        bad("layout: two", ":1: layout: two (expected: one-process or processes)"),
        bad("priority: high", ":1: priority: high (expected: default or real-time)"),
        bad(
            "layout: processes\nview: [local, shared]",
            ":2: view: shared with a process for each component (expected: local or"
                + " shared-stale(refresh=R); shared is an oracle of one process with one loop)"),
        bad("rho: .nan", ":1: rho: .nan (expected: a number above 0)"),
        bad("rho: 1e999", ":1: rho: 1e999 (expected: a number above 0)"),
        bad("unit: 0", ":1: unit: 0 (expected: a duration above 0 such as 10ms, 50us or 2s)"),
        bad("unit: 10", ":1: unit: 10 (expected: a duration above 0 such as 10ms, 50us or 2s)"),
        bad("requests: 1.5", ":1: requests: 1.5 (expected: a whole number from 1 to 10000000)"),
        bad("proxies:\n  - 1\n  - x", ":3: proxies: x (expected: a whole number from 1 to 4096)"),
        bad(
            "proxies: {a: 1}",
            ":1: proxies: a map of 1 keys (expected: a whole number from 1 to 4096)"),
        bad("proxies: []", ":1: proxies: an empty list (expected: a whole number from 1 to 4096)"),
        bad("description: [a]", ":1: description: a list of 1 (expected: text)"),
        bad("prxies: 4", ":1: prxies: unknown key (expected: perhaps proxies)"),
        bad("proxy: 4", ":1: proxy: unknown key (expected: perhaps proxies)"),
        bad("rho: 0.8\nrho: 0.9", ":2: rho: given before, in line 1 (expected: each key once)"),
        bad(
            "algorithm: p2d",
            ":1: algorithm 'p2d', column 1: p2d (expected: one of " + known + ")"),
        bad(
            "algorithm: [p2c(d=2,draws=distinct)]",
            ":1: algorithm: p2c(d=2 (expected: matching parentheses; if a comma cut the value, quote"
                + " it or write one value a line)"),
        bad(
            "view: shared-stale(refresh=0)",
            ":1: view 'shared-stale(refresh=0)', column 22: refresh=0 (expected: a duration above 0"
                + " such as 10s, 5ms, 20us or 4u (units))"),
        bad(
            "service: lognormal(mu=x)",
            ":1: service 'lognormal(mu=x)', column 14: mu=x (expected: a number)"),
        bad(
            "arrivals: poison",
            ":1: arrivals 'poison', column 1: poison (expected: poisson, constant, ramp, bursty or"
                + " recorded)"),
        bad(
            "speeds: [1, 2]",
            ":1: speeds: 1,2 (expected: one number, or one for each of the 16 backends)"),
        bad(
            "requests: 500\nwarmup: 500",
            ":2: warmup: 500 (expected: fewer than the requests, 500)"),
        bad(
            "seeds: 5..2",
            ":1: seeds: 5..2 (expected: a whole number, or a range such as 0..4 of at most 1000)"),
        bad(
            "seeds: 0..999\nbackends: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]",
            ":1: seeds: 0..999 (expected: at most 10000 cells; the lists make 11000)"),
        bad("twin-seeds: 19", ":1: twin-seeds: 19 (expected: a whole number from 20 to 10000)"),
        bad("attempts: 6", ":1: attempts: 6 (expected: a whole number from 1 to 5)"),
        bad("trace: nope.csv.gz", ":1: trace: nope.csv.gz (expected: a readable file)"),
        bad("plugins: nope.jar", ":1: plugin nope.jar: no such file (expected: a jar)"),
        bad(
            "cells: 3",
            ":1: cells: 3 (expected: a list of maps such as - {proxies: 16, view: local})"),
        bad(
            "cells:\n  - proxies: 4\n    attempts: 2",
            ":3: attempts: unknown key (expected: one of unit, backends, speeds, weights, service,"
                + " arrivals, tenants, discipline, servers, queue, timeout, retries, retry-budget,"
                + " hedge, events, rho, requests, warmup, view, proxies, proxy-choice, algorithm,"
                + " seeds)"),
        bad(
            "service: exponential(never=0.1)",
            ":1: service: exponential(never=0.1) (expected: a timeout in every cell beside never=,"
                + " or nothing would end them)"),
        bad(
            "events:\n  - {at: 1, proxies: restart}\n  - {at: 2, backend: b16, speed: 2}",
            ":3: events: at=2 backend=b16 speed=2 (expected: a backend from b0 to b15)"),
        bad(
            "events:\n  - {at: 1, backend: b1, fault: slow}",
            ":2: event 'at=1 backend=b1 fault=slow': fault=slow (expected: none, refuse, hang, close"
                + " or status=500 to 599)"),
        bad("discipline: sjf", ":1: discipline: sjf (expected: fifo or lifo or ps)"),
        bad(
            "arrivals: bursty(ratio=0)",
            ":1: arrivals 'bursty(ratio=0)', column 14: ratio=0 (expected: a number > 0)"),
        bad(
            "arrivals: recorded(file=nope.txt)",
            ":1: arrivals 'recorded(file=nope.txt)', column 15: file=nope.txt (expected: a readable"
                + " file of samples; there is no such file)"),
        bad(
            "proxy-choice: even",
            ":1: proxy choice 'even', column 1: even (expected: uniform, weighted(shares=3+1+1+1) or"
                + " sticky(connections=64))"),
        bad(
            "proxies: 3\nproxy-choice: weighted(shares=1+1)",
            ":2: proxy choice: 2 shares (expected: 3, one for each proxy)"),
        bad("servers: 0", ":1: servers: 0 (expected: a whole number from 1 to 1000)"),
        bad("queue: 0", ":1: queue: 0 (expected: a whole number from 1 to 10000, or none)"),
        bad(
            "servers: 4\nqueue: 3",
            ":2: queue: 3 (expected: none, or at least as many as the servers, 4)"),
        bad("timeout: 0", ":1: timeout: 0 (expected: a number above 0, or none)"),
        bad(
            "timeout: 1e9",
            ":1: timeout: 1e9 (expected: none, or units that are 1 ns to 20 s long)"),
        bad("rho: &a 0.8\nproxies: *a", ":2: *a (expected: the value itself, no alias)"),
        bad("rho: 0.8\n---\nrho: 0.9", ":3: a second document (expected: one document)"),
        bad("name: [1\nb: 2", ":2: expected ',' or ']', but got : (expected: YAML)"),
        bad(
            "\tname: x",
            ":1: found character '\\t(TAB)' that cannot start any token. (Do not use \\t(TAB) for"
                + " indentation) (expected: YAML)"),
        bad("- 1", ":1: a list of 1 (expected: keys such as rho: 0.8)"),
        bad("", ": empty (expected: keys such as rho: 0.8)"));
  }

  private static Arguments bad(String yaml, String message) {
    return Arguments.of(yaml, message);
  }

  @ParameterizedTest
  @MethodSource("files")
  void fileIsRefusedWithItsLine(String yaml, String message) throws IOException {
    Path file = Files.writeString(folder.resolve("x.yaml"), yaml);

    Program program = Program.run("run", file.toString(), "--model");

    assertThat(program.err()).isEqualTo("herdlab: " + file + message + System.lineSeparator());
    assertThat(program.out()).isEmpty();
    assertThat(program.exitCode()).isEqualTo(2);
  }

  static Stream<Arguments> commandLines() {
    return Stream.of(
        usage("--set rho: fast (expected: a number above 0)", "run", "--set", "rho=fast"),
        usage("--set: rho (expected: key=value)", "run", "--set", "rho"),
        usage("--set rhoo: unknown key (expected: perhaps rho)", "run", "--set", "rhoo=1"),
        usage(
            "--set algorithm: p2c(d=2 (expected: matching parentheses)",
            "run",
            "--set",
            "algorithm=p2c(d=2"),
        usage(
            "--set algorithm: algorithm 'p3c', column 1: p3c (expected: one of "
                + algorithms()
                + ")",
            "run",
            "--set",
            "algorithm=p2c,p3c"),
        usage(
            "--sett: unknown option (expected: perhaps --set) (see herdlab run --help)",
            "run",
            "--sett",
            "rho=1"),
        usage("extra: one argument too many (see herdlab run --help)", "run", "a.yaml", "extra"),
        usage(
            "--format: xml (expected: text or json) (see herdlab run --help)",
            "run",
            "--format",
            "xml"),
        usage(
            "--processes: with --model (expected: one of them) (see herdlab run --help)",
            "run",
            "--model",
            "--processes"),
        usage(
            "--plugin: plugin no.jar: no such file (expected: a jar)",
            "algorithms",
            "--plugin",
            "no.jar"),
        usage("--plugin: unknown option (expected: ", "backend", "--plugin", "no.jar"),
        usage(
            "--out pom.xml: a file of this name is there (expected: a folder to write to)",
            "run",
            "--model",
            "--out",
            "pom.xml"),
        usage("nope.yaml: no such file (expected: a readable YAML file)", "run", "nope.yaml"),
        usage(
            "src: no experiment.yaml in it (expected: an experiment's file or a run's folder)",
            "run",
            "src"),
        usage("study: hurd (expected: perhaps herd) (see herdlab study --help)", "study", "hurd"),
        usage("Missing required parameter: 'NAME' (see herdlab study --help)", "study"),
        usage(
            "--set events: at=1 proxies=restart (expected: one of the settings",
            "study",
            "herd",
            "--set",
            "events=at=1 proxies=restart"),
        usage(
            "events: at=1 proxies=restart (expected: none: a phase of a running system",
            "conduct",
            "--set",
            "events=at=1 proxies=restart"),
        usage("fly: unknown command (expected: one of ", "fly"),
        usage("stdy: unknown command (expected: perhaps study) (see herdlab --help)", "stdy"),
        usage("no command (expected: run, study, algorithms, report", new String[0]));
  }

  private static Arguments usage(String message, String... arguments) {
    return Arguments.of(message, arguments);
  }

  @ParameterizedTest
  @MethodSource("commandLines")
  void commandLineIsRefusedWithTheToken(String message, String[] arguments) {
    Program program = Program.run(arguments);

    assertThat(program.err()).startsWith("herdlab: " + message).hasLineCount(1);
    assertThat(program.out()).isEmpty();
    assertThat(program.exitCode()).isEqualTo(2);
  }

  @Test
  void environmentIsNamedAsTheOrigin() {
    Program program = Program.run(Map.of("HERDLAB_RHO", "fast"), "run");

    assertThat(program.err())
        .isEqualToIgnoringNewLines(
            "herdlab: environment HERDLAB_RHO: fast (expected: a number above 0)");
    assertThat(program.exitCode()).isEqualTo(2);
  }

  @Test
  void sharedViewIsRefusedForProcesses() {
    Program program = Program.run("run", "--processes", "--set", "view=shared");

    assertThat(program.err())
        .startsWith(
            "herdlab: --set view: shared with a process for each component (expected: local")
        .hasLineCount(1);
    assertThat(program.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--model", "--format=json"})
  void algorithmThatCannotServeTheBackendsIsRefusedBeforeAnythingRuns(String option) {
    Program program =
        Program.run(
            "run",
            option,
            "--set",
            "backends=4",
            "--set",
            "algorithm=p2c,shuffle-sharding(size=8)");

    assertThat(program.err())
        .isEqualToIgnoringNewLines(
            "herdlab: algorithm 'shuffle-sharding(size=8)' with 4 backends: size: 8 (expected: at"
                + " most the number of backends, 4)");
    assertThat(program.out()).isEmpty();
    assertThat(program.exitCode()).isEqualTo(2);
  }
}
