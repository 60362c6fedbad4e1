package dev.herdlab.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// What a run ran on: JVM, kernel, cores, memory, commit. Goes into every result.
final class Environment {
  private static final long GIT_BOUND_SECONDS = 5;

  private Environment() {}

  /// The facts, in a fixed order.
  static Map<String, Object> read() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put(
        "jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("arch", System.getProperty("os.arch"));
    facts.put("cores", Runtime.getRuntime().availableProcessors());
    facts.put("cpu", cpuModel());
    facts.put("memory_max_bytes", Runtime.getRuntime().maxMemory());
    facts.put("commit", commit());
    return facts;
  }

  private static String cpuModel() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse("unknown");
    } catch (IOException notLinux) {
      return "unknown";
    }
  }

  /// The checkout's commit, with `+` when the tree differs from it; `unknown` outside a checkout.
  private static String commit() {
    String home = System.getProperty("herdlab.home", ".");
    Optional<String> head = git(home, "rev-parse", "--short=12", "HEAD");
    boolean same = head.isPresent() && git(home, "diff", "--quiet", "HEAD").isPresent();
    return head.map(commit -> same ? commit : commit + "+").orElse("unknown");
  }

  /// What a command says, which must be short; empty if it fails or does not end in time.
  private static Optional<String> git(String home, String... arguments) {
    List<String> command = new ArrayList<>(List.of("git", "-C", home));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      try (InputStream out = process.getInputStream()) {
        if (process.waitFor(GIT_BOUND_SECONDS, TimeUnit.SECONDS)) {
          String text = new String(out.readAllBytes(), StandardCharsets.UTF_8).trim();
          return process.exitValue() == 0 ? Optional.of(text) : Optional.empty();
        }
      } finally {
        process.destroy();
      }
      return Optional.empty();
    } catch (IOException noGit) {
      return Optional.empty();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
