package dev.herdlab.lab.conduct;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.run.Dispatches;
import dev.herdlab.lab.run.Fleet;
import dev.herdlab.lab.run.GeneratorRun;
import dev.herdlab.lab.run.ProcessState;
import dev.herdlab.loadgen.GeneratorSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Takes phases that are over, waits for their last requests, and analyses them, while the next
/// one is played.
///
/// One core at most, since the system is running meanwhile. Owner thread: its own; [#take] and
/// [#close] are the conductor's.
final class Analyst implements AutoCloseable {
  private static final long POLL_MILLIS = 100;
  private static final long LAST_REQUESTS_NANOS =
      GeneratorSettings.DEFAULT_REQUEST_TIMEOUT.toNanos() + 10_000_000_000L;

  private final Experiment experiment;
  private final Fleet fleet;
  private final Predictions predictions;
  private final RunListener listener;
  private final Consumer<Kept> kept;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("herdlab-analyst").factory());
  private final ExecutorService models =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("herdlab-model").factory());
  private @Nullable Gathered last;

  /// What is worth keeping of a phase. Owner thread: any (immutable).
  record Kept(Finished finished, PhaseRequests requests, Playing playing) {}

  /// @param kept hears of each phase, on this one's thread
  Analyst(
      Experiment experiment,
      Fleet fleet,
      Predictions predictions,
      RunListener listener,
      Consumer<Kept> kept) {
    this.experiment = experiment;
    this.fleet = fleet;
    this.predictions = predictions;
    this.listener = listener;
    this.kept = kept;
  }

  /// Hands a phase over. Does not wait.
  void take(Over over) {
    thread.execute(
        () -> {
          try {
            analyse(gather(over));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException e) {
            listener.note("phase %s: not analysed: %s".formatted(over.playing().name(), e));
          }
        });
  }

  /// Computes what the model expects of a phase, in turn with the analyses. Does not wait.
  void predict(Cell cell, Consumer<CellResult.LongModel> expected) {
    if (experiment.modelRequests() > 0) {
      thread.execute(() -> expected.accept(predictions.of(cell)));
    }
  }

  private Gathered gather(Over over) throws InterruptedException {
    Playing playing = over.playing();
    List<String> faults = new ArrayList<>();
    List<PhaseRequests> parts = new ArrayList<>();
    int opened = 0;
    for (GeneratorRun run : playing.runs()) {
      try {
        opened += awaitOver(run);
        GeneratorRun.Result result = run.result();
        parts.add(new PhaseRequests(result.trace(), result.run()));
        run.delete();
      } catch (IOException e) {
        faults.add("A generator's requests are lost: " + e.getMessage());
      }
    }
    PhaseRequests requests = PhaseRequests.merge(parts).renamed(playing.crew().names());
    Fleet.Recorded own =
        over.recorded().isPresent()
            ? over.recorded().get()
            : fleet.recorded(Dispatches.Part.CURRENT);
    own.silent().forEach(line -> faults.add("A record is missing: " + line));
    if (own.dispatches().truncated()) {
      faults.add("A proxy had no room to record all that its balancers saw.");
    }
    faults.addAll(missing(over));
    return new Gathered(over, requests, own.dispatches().log(), opened, faults);
  }

  private int awaitOver(GeneratorRun run) throws IOException, InterruptedException {
    long since = System.nanoTime();
    while (true) {
      GeneratorRun.Progress progress = run.progress();
      if (progress.over()) {
        return progress.opened();
      }
      if (System.nanoTime() - since > LAST_REQUESTS_NANOS) {
        throw new IOException(
            "%s: %d of %d requests sent, %d ended (expected: all)"
                .formatted(run.generator(), progress.sent(), progress.total(), progress.ended()));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /// Who was there at the beginning and no more at the end.
  private static List<String> missing(Over over) {
    List<String> after = over.after().stream().map(ProcessState::incarnation).toList();
    List<String> missing = new ArrayList<>();
    over.playing().crew().members().stream()
        .filter(member -> !after.contains(member.process().incarnation()))
        .forEach(member -> missing.add(member + " ended during the phase."));
    return missing;
  }

  private void analyse(Gathered gathered) throws InterruptedException {
    Playing playing = gathered.over().playing();
    Gathered before = last;
    last = gathered;
    if (playing.step().number() == 0) {
      return;
    }
    Cell cell = playing.cell();
    Optional<CellResult.LongModel> model =
        experiment.modelRequests() > 0 ? Optional.of(predictions.of(cell)) : Optional.empty();
    CellResult result =
        PhaseAnalysis.of(
            gathered, Optional.ofNullable(before), experiment.twinSeeds(), model, models);
    CellResult.Accounting accounting = gathered.accounting();
    kept.accept(
        new Kept(new Finished(playing.step(), result, accounting), gathered.requests(), playing));
  }

  /// Waits until all that was taken is analysed.
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(2 * LAST_REQUESTS_NANOS, TimeUnit.NANOSECONDS)) {
        listener.note("the last phase was not analysed in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      thread.shutdownNow();
      models.shutdownNow();
    }
  }
}
