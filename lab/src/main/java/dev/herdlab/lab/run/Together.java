package dev.herdlab.lab.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Asks many at once: a virtual thread each, and the answers in order.
///
/// Owner thread: any (no state).
final class Together {
  private Together() {}

  /// One question.
  interface Question<T, R> {
    /// The answer.
    R ask(T one) throws IOException, InterruptedException;
  }

  /// The answers of all; returns, or throws the first failure in order, once all have answered or
  /// failed.
  static <T, R> List<R> ask(List<T> all, Question<T, R> question)
      throws IOException, InterruptedException {
    List<Callable<R>> tasks = new ArrayList<>();
    for (T one : all) {
      tasks.add(() -> question.ask(one));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<R> answers = new ArrayList<>();
      for (Future<R> answer : threads.invokeAll(tasks)) {
        answers.add(answer.get());
      }
      return answers;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failed -> throw failed;
        case InterruptedException stopped -> throw stopped;
        case RuntimeException wrong -> throw wrong;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  /// What came of asking.
  ///
  /// @param answers in order, of those who answered
  /// @param failures one line for each of the others
  record Tried<R>(List<R> answers, List<String> failures) {}

  /// The answers of all who answer.
  static <T, R> Tried<R> tryAll(List<T> all, Question<T, R> question) throws InterruptedException {
    List<String> failures = new CopyOnWriteArrayList<>();
    try {
      List<Optional<R>> answers =
          ask(
              all,
              one -> {
                try {
                  return Optional.of(question.ask(one));
                } catch (IOException e) {
                  failures.add(String.valueOf(e.getMessage()));
                  return Optional.empty();
                }
              });
      return new Tried<>(answers.stream().flatMap(Optional::stream).toList(), failures);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
