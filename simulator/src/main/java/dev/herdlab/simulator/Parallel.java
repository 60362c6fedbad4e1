package dev.herdlab.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/// Independent computations on all cores, with their results in the order of the inputs.
///
/// A fixed pool of as many threads as there are processors, gone when the call returns. Each input
/// must carry all that its computation reads. Owner thread: any (no state).
public final class Parallel {
  private Parallel() {}

  /// Applies `work` to each of `inputs`.
  ///
  /// If one fails, the others are interrupted and its exception is thrown here; likewise
  /// [CancellationException] if this thread is interrupted meanwhile.
  ///
  /// @param progress hears of each that is done, on this thread
  public static <T, R> List<R> map(List<T> inputs, Function<T, R> work, Progress progress) {
    record Done<R>(int index, R result) {}
    int threads = Math.min(Runtime.getRuntime().availableProcessors(), inputs.size());
    if (threads == 0) {
      return List.of();
    }
    // Daemons, so that an interrupted program need not wait for them.
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("model-", 0).factory());
    try {
      CompletionService<Done<R>> done = new ExecutorCompletionService<>(pool);
      for (int i = 0; i < inputs.size(); i++) {
        int index = i;
        done.submit(() -> new Done<>(index, work.apply(inputs.get(index))));
      }
      List<Done<R>> results = new ArrayList<>(inputs.size());
      while (results.size() < inputs.size()) {
        results.add(done.take().get());
        progress.finished(results.size(), inputs.size());
      }
      results.sort((a, b) -> Integer.compare(a.index, b.index));
      return results.stream().map(Done::result).toList();
    } catch (ExecutionException failure) {
      throw unwrapped(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    } finally {
      pool.shutdownNow();
    }
  }

  private static RuntimeException unwrapped(ExecutionException failure) {
    return switch (failure.getCause()) {
      case RuntimeException unchecked -> unchecked;
      case Error error -> throw error;
      case Throwable other -> new IllegalStateException(other);
      case null -> new IllegalStateException(failure);
    };
  }
}
