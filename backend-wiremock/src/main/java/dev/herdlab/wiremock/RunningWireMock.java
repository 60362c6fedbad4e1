package dev.herdlab.wiremock;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.common.LocalNotifier;
import com.github.tomakehurst.wiremock.common.Notifier;
import com.github.tomakehurst.wiremock.core.WireMockApp;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.http.RequestMethod;
import com.github.tomakehurst.wiremock.http.Response;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import com.github.tomakehurst.wiremock.verification.diff.DiffEventData;
import dev.herdlab.stub.Answer;
import dev.herdlab.stub.Exchange;
import dev.herdlab.stub.ServiceDraw;
import dev.herdlab.transport.PreciseLoop;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A WireMock that has read its mappings, and the loop that its answers go to.
///
/// Owner thread: [#match] one worker's, [#administer] another's.
final class RunningWireMock {
  private static final String SHUTDOWN = WireMockApp.ADMIN_CONTEXT_ROOT + "/shutdown";

  private static final Served FAILED =
      new Served(
          Answer.text("500 Server Error", "WireMock could not answer; see the log"),
          Optional.empty());

  private final PreciseLoop loop;
  private final WireMockServer server;
  private final Handlers handlers;
  private final Notifier notifier;
  private final StaticFiles files;

  private RunningWireMock(
      PreciseLoop loop,
      WireMockServer server,
      Handlers handlers,
      Notifier notifier,
      StaticFiles files) {
    this.loop = loop;
    this.server = server;
    this.handlers = handlers;
    this.notifier = notifier;
    this.files = files;
  }

  /// Reads the mappings.
  ///
  /// @throws Exception whatever WireMock throws, declared or not; its message names the file
  static RunningWireMock load(WireMockSettings settings, PreciseLoop loop) throws Exception {
    Handlers handlers = new Handlers();
    WireMockConfiguration options =
        WireMockConfiguration.options()
            .withRootDirectory(settings.root().toString())
            .httpServerFactory(handlers)
            .templatingEnabled(settings.templating() != WireMockSettings.Templating.OFF)
            .globalTemplating(settings.templating() == WireMockSettings.Templating.ALL)
            .stubRequestLoggingDisabled(true);
    if (settings.journalEntries() == 0) {
      options.disableRequestJournal();
    } else {
      options.maxRequestJournalEntries(settings.journalEntries());
    }
    return new RunningWireMock(
        loop,
        new WireMockServer(options),
        handlers,
        options.notifier(),
        new StaticFiles(settings.root().toAbsolutePath().normalize().resolve("__files")));
  }

  /// What went wrong, in one line.
  static String oneLine(Throwable e) {
    String message = e.getMessage();
    return (message == null ? e.toString() : message).strip().replaceAll("\\s+", " ");
  }

  /// Has the request matched, rendered, and served as of its arrival.
  void match(Exchange exchange, ReceivedRequest request) {
    LocalNotifier.set(notifier);
    AtomicReference<Served> matched = new AtomicReference<>(FAILED);
    try {
      handlers
          .stubs()
          .handle(
              request,
              (same, response, attributes) -> matched.set(answer(request, response, attributes)),
              null);
    } catch (Throwable e) {
      // WireMock throws checked exceptions undeclared, and templates overflow stacks.
      notifier.error("a request could not be matched", e);
    }
    Served served = matched.get();
    onLoop(
        () ->
            served
                .delay()
                .ifPresentOrElse(
                    delay -> exchange.serve(served.answer(), delay),
                    () -> exchange.serve(served.answer())));
  }

  /// An answer and the mapping's delay.
  private record Served(Answer answer, Optional<ServiceDraw> delay) {}

  private Served answer(
      ReceivedRequest request, Response response, Map<String, Object> attributes) {
    ServeEvent event = (ServeEvent) attributes.get(ServeEvent.ORIGINAL_SERVE_EVENT_KEY);
    if (event == null || !response.wasConfigured()) {
      return new Served(unmatched(request, event), Optional.empty());
    }
    Answer answer =
        response.getFault() == null
            ? AnswerMaker.response(response)
            : AnswerMaker.broken(response.getFault());
    return new Served(
        answer,
        MappingDelay.of(
            event.getResponseDefinition(), server.getGlobalSettings().getSettings(), response));
  }

  private Answer unmatched(ReceivedRequest request, @Nullable ServeEvent event) {
    if (request.getMethod().equals(RequestMethod.GET)) {
      Optional<Answer> file = files.find(request.getUrl());
      if (file.isPresent()) {
        return file.get();
      }
    }
    if (event == null || event.getDiffSubEvent().isEmpty()) {
      return Answer.text("404 Not Found", "no mapping matches");
    }
    DiffEventData difference = event.getDiffSubEvent().get().getDataAs(DiffEventData.class);
    return AnswerMaker.response(
        difference.getStatus(),
        difference.getContentType(),
        difference.getReport().getBytes(StandardCharsets.UTF_8));
  }

  /// Answers a request to the admin API.
  void administer(Exchange exchange, ReceivedRequest request) {
    LocalNotifier.set(notifier);
    if (request.getUrl().equals(SHUTDOWN)) {
      reply(
          exchange, Answer.text("403 Forbidden", "the process ends by its own means, not by this"));
      return;
    }
    try {
      handlers
          .admin()
          .handle(
              request,
              (same, response, attributes) -> reply(exchange, AnswerMaker.response(response)),
              null);
    } catch (Throwable e) {
      reply(exchange, Answer.text("500 Server Error", oneLine(e)));
    }
  }

  private void reply(Exchange exchange, Answer.Response response) {
    onLoop(() -> exchange.reply(response));
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // A loop that has ended has closed its connections.
    }
  }

  /// Ends WireMock's own threads.
  void close() {
    server.shutdownServer();
  }
}
