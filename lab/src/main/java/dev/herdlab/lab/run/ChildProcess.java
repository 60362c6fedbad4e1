package dev.herdlab.lab.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// A component that the lab has started in a process of its own, to be asked and told things on its
/// admin port.
///
/// The child ends when its standard input does, so it cannot outlive the lab. Owner thread: its
/// starter's.
final class ChildProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration START_BOUND = Duration.ofSeconds(30);
  private static final long END_BOUND_SECONDS = 5;
  // The lab ends it when nothing is in flight, or when nobody cares any more.
  private static final List<String> ALWAYS =
      List.of("until=stdin", "drain=0s", "admin=127.0.0.1:0");

  private final String component;
  private final Process process;

  private ChildProcess(String component, Process process) {
    this.component = component;
    this.process = process;
  }

  /// A child and the line by which it said that it is ready.
  record Started(ChildProcess child, JsonNode ready) {
    /// Where its admin port is.
    String admin() {
      return "127.0.0.1:" + ready.path("admin").asInt();
    }

    /// Where its data ports are.
    String data() {
      List<String> addresses = new ArrayList<>();
      ready.path("ports").forEach(port -> addresses.add("127.0.0.1:" + port.asInt()));
      return String.join(",", addresses);
    }
  }

  /// Starts `herdlab <component>` with the JVM and options of this process.
  ///
  /// @param sets `key=value`, each
  /// @param begun hears of the child before it is ready
  /// @throws IOException if it is not ready in time: how it ended, in one line
  static Started start(
      String component, List<String> sets, List<Path> plugins, Consumer<ChildProcess> begun)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.herdlab.lab.Main", component));
    for (String set : ALWAYS) {
      command.addAll(List.of("--set", set));
    }
    for (String set : sets) {
      command.addAll(List.of("--set", set));
    }
    for (Path plugin : plugins) {
      command.addAll(List.of("--plugin", plugin.toString()));
    }
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    // The lab says all: its own variables are keys of experiments, some of the same names.
    builder.environment().keySet().removeIf(name -> name.startsWith("HERDLAB_"));
    ChildProcess child = new ChildProcess(component, builder.start());
    begun.accept(child);
    try {
      return new Started(child, child.readyLine());
    } catch (IOException | InterruptedException e) {
      child.close();
      throw e;
    }
  }

  private JsonNode readyLine() throws IOException, InterruptedException {
    CompletableFuture<JsonNode> line = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> read(line));
    try {
      JsonNode ready = line.get(START_BOUND.toNanos(), TimeUnit.NANOSECONDS);
      if (ready.isMissingNode()) {
        throw ended(new IOException("its output ended"));
      }
      return ready;
    } catch (TimeoutException e) {
      throw new IOException(
          "%s process: not ready within %d s".formatted(component, START_BOUND.toSeconds()), e);
    } catch (ExecutionException e) {
      throw new IOException(component + " process: " + e.getCause(), e);
    }
  }

  /// The first object in its output, missing if there is none. Other lines are not its own, but the
  /// JVM's; what comes later is dropped, so that writing never has to wait.
  private void read(CompletableFuture<JsonNode> ready) {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      String text = output.readLine();
      while (text != null && !text.startsWith("{")) {
        text = output.readLine();
      }
      ready.complete(text == null ? MissingNode.getInstance() : JSON.readTree(text));
      long _ = output.transferTo(Writer.nullWriter());
    } catch (JsonProcessingException e) {
      ready.completeExceptionally(e);
    } catch (IOException closed) {
      ready.complete(MissingNode.getInstance());
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Throws if it has ended, though nobody told it to, or ends within `wait`: how, in one line.
  void requireAlive(Duration wait) throws IOException, InterruptedException {
    if (process.waitFor(wait.toNanos(), TimeUnit.NANOSECONDS)) {
      throw ended(new IOException("it is not alive"));
    }
  }

  private IOException ended(IOException cause) throws InterruptedException {
    String how =
        process.waitFor(END_BOUND_SECONDS, TimeUnit.SECONDS)
            ? "ended with exit code " + process.exitValue()
            : "does not answer";
    return new IOException("%s process: %s".formatted(component, how), cause);
  }

  /// Tells it to end, without waiting.
  void end() {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                process.getOutputStream().close();
              } catch (IOException e) {
                // It has ended already.
              }
            });
  }

  /// Ends it by force, without waiting. Any thread.
  void kill() {
    process.destroyForcibly();
  }

  /// Ends it; by force if it does not end by itself in time.
  @Override
  public void close() {
    end();
    try {
      if (!process.waitFor(END_BOUND_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor(END_BOUND_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
