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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// A component that the lab has started in a process of its own, with its control stream.
///
/// The child ends when its stream does, so it cannot outlive the lab. Owner thread: its starter's.
final class ChildProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration START_BOUND = Duration.ofSeconds(30);
  private static final long END_BOUND_SECONDS = 5;

  private final String component;
  private final Process process;
  private final Writer commands;
  private final BufferedReader replies;

  private ChildProcess(String component, Process process) {
    this.component = component;
    this.process = process;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.replies = process.inputReader(StandardCharsets.UTF_8);
  }

  /// A child and the line by which it said that it is ready.
  record Started(ChildProcess child, JsonNode ready) {}

  /// Starts `herdlab <component>` with the JVM and options of this process.
  ///
  /// @param sets `key=value`, each
  /// @param begun hears of the child before it is ready
  /// @throws IOException if it is not ready in time: what it said, in one line
  static Started start(
      String component, List<String> sets, List<Path> plugins, Consumer<ChildProcess> begun)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.herdlab.lab.Main", component, "--set", "control=stdin"));
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
      return new Started(child, child.reply(START_BOUND));
    } catch (IOException | InterruptedException e) {
      child.close();
      throw e;
    }
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /// Tells it to do something and waits for its reply.
  ///
  /// @throws IOException if it fails, has ended, or does not answer in time: one line
  JsonNode ask(String what, Map<String, Object> arguments, Duration bound)
      throws IOException, InterruptedException {
    Map<String, Object> command = new LinkedHashMap<>();
    command.put("do", what);
    command.putAll(arguments);
    try {
      commands.write(JSON.writeValueAsString(command) + "\n");
      commands.flush();
    } catch (IOException e) {
      throw ended(e);
    }
    return reply(bound);
  }

  private JsonNode reply(Duration bound) throws IOException, InterruptedException {
    CompletableFuture<JsonNode> line = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> read(line));
    try {
      JsonNode reply = line.get(bound.toNanos(), TimeUnit.NANOSECONDS);
      if (reply.isMissingNode()) {
        throw ended(new IOException("its output ended"));
      }
      if (reply.path("event").asText().equals("failed")) {
        throw new IOException(component + " process: " + reply.path("error").asText());
      }
      return reply;
    } catch (TimeoutException e) {
      throw new IOException(
          "%s process: no answer within %d s".formatted(component, bound.toSeconds()), e);
    } catch (ExecutionException e) {
      throw new IOException(component + " process: " + e.getCause(), e);
    }
  }

  /// The next object in its output, missing at the end. Other lines are not its own, but the JVM's.
  private void read(CompletableFuture<JsonNode> next) {
    try {
      String text = replies.readLine();
      while (text != null && !text.startsWith("{")) {
        text = replies.readLine();
      }
      next.complete(text == null ? MissingNode.getInstance() : JSON.readTree(text));
    } catch (JsonProcessingException e) {
      next.completeExceptionally(e);
    } catch (IOException closed) {
      next.complete(MissingNode.getInstance());
    }
  }

  private IOException ended(IOException cause) throws InterruptedException {
    String how =
        process.waitFor(END_BOUND_SECONDS, TimeUnit.SECONDS)
            ? "ended with exit code " + process.exitValue()
            : "does not answer";
    return new IOException("%s process: %s".formatted(component, how), cause);
  }

  /// Throws if it has ended, though nobody told it to: how, in one line.
  void requireAlive() throws IOException, InterruptedException {
    if (!process.isAlive()) {
      throw ended(new IOException("it is not alive"));
    }
  }

  /// Tells it to end, without waiting.
  void end() {
    // Not by closing the writer: that would wait for a write that is stuck.
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
