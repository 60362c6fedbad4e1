package dev.herdlab.lab.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/// The life of a component's process: a ready line, then either commands from a control stream,
/// each with a reply, until the stream ends, or nothing until the process is told to end.
///
/// Every line is one JSON object. Ready: `{"event":"ready","component":"proxy","ports":[...],...}`.
/// Command: `{"do":"install",...}`; its reply: `{"event":"done","do":"install",...}`, or
/// `{"event":"failed","do":...,"error":"one line"}`. Every component knows `collected`, which says
/// how long collections of garbage took so far (`gc_ns`) and, if a task on its loop failed, how
/// (`loop_failure`), and `collect`, which collects first, so that nothing has to be collected while
/// a clock runs.
///
/// Owner thread: the process's main one.
final class ComponentProcess {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Component component;
  private final PrintWriter out;
  private final GcMeter collections = new GcMeter();

  ComponentProcess(Component component, PrintWriter out) {
    this.component = component;
    this.out = out;
  }

  /// Starts the component and says so.
  void start() throws IOException, InterruptedException {
    Map<String, Object> ready = new LinkedHashMap<>();
    ready.put("event", "ready");
    ready.put("component", component.name());
    ready.putAll(component.start());
    say(ready);
  }

  /// Obeys until the stream ends.
  void obey(BufferedReader control) throws IOException, InterruptedException {
    for (String line = control.readLine(); line != null; line = control.readLine()) {
      if (!line.isBlank()) {
        say(reply(line));
      }
    }
  }

  /// Waits until the process is told to end.
  static void awaitEnd() throws InterruptedException {
    new CountDownLatch(1).await();
  }

  private Map<String, Object> reply(String line) throws InterruptedException {
    Map<String, Object> reply = new LinkedHashMap<>();
    String what = "";
    try {
      JsonNode command = JSON.readTree(line);
      what = command.path("do").asText();
      Map<String, Object> answer = answer(what, command);
      reply.put("event", "done");
      reply.put("do", what);
      reply.putAll(answer);
    } catch (IOException | RuntimeException e) {
      reply.put("event", "failed");
      reply.put("do", what);
      reply.put("error", String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
    }
    return reply;
  }

  private Map<String, Object> answer(String what, JsonNode command)
      throws IOException, InterruptedException {
    if (what.equals("collect")) {
      System.gc();
    }
    if (!what.equals("collect") && !what.equals("collected")) {
      return component.obey(what, command);
    }
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("gc_ns", collections.nanos());
    component.loopFailure().ifPresent(failure -> state.put("loop_failure", failure));
    return state;
  }

  private void say(Map<String, Object> line) {
    try {
      out.println(JSON.writeValueAsString(line));
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
