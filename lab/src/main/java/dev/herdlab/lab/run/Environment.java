package dev.herdlab.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// What a run ran on: JVM, kernel, cores, memory, commit. Goes into every result.
final class Environment {
  private Environment() {}

  /// The facts, in a fixed order.
  static Map<String, Object> read() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
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
    String head = git(home, List.of("rev-parse", "--short=12", "HEAD"));
    if (head.isEmpty()) {
      return "unknown";
    }
    return git(home, List.of("status", "--porcelain", "--untracked-files=no")).isEmpty()
        ? head
        : head + "+";
  }

  private static String git(String home, List<String> arguments) {
    try {
      List<String> command = new java.util.ArrayList<>(List.of("git", "-C", home));
      command.addAll(arguments);
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      try (InputStream out = process.getInputStream()) {
        String text = new String(out.readNBytes(1 << 16), StandardCharsets.UTF_8).trim();
        return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0 ? text : "";
      }
    } catch (IOException noGit) {
      return "";
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
