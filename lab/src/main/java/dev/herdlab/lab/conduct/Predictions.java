package dev.herdlab.lab.conduct;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.LongRun;
import dev.herdlab.simulator.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.LongStream;

/// What the model alone expects of each cell: long runs on requests of their own, kept for when the
/// same cell comes again.
///
/// One core at most, since the system is running meanwhile. Owner thread: its user's.
final class Predictions {
  /// Cells that are kept: more than a tour has.
  private static final int KEPT = 64;

  private final int requests;
  private final int seeds;
  private final Map<CellPlan, CellResult.LongModel> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<CellPlan, CellResult.LongModel> eldest) {
          return size() > KEPT;
        }
      };

  /// @param requests in each run
  /// @param seeds runs, 2 or more
  Predictions(int requests, int seeds) {
    this.requests = requests;
    this.seeds = seeds;
  }

  /// The model's word on a cell. Cost: about 0.3 us a request, the first time.
  CellResult.LongModel of(Cell cell) {
    CellPlan key = key(cell.plan());
    CellResult.LongModel before = known.get(key);
    if (before != null) {
      return before;
    }
    int warmup = requests / 10;
    Workload workload = cell.workload(requests, warmup);
    LongRun run =
        LongRun.sequential(cell.model(), workload, LongStream.range(0, seeds).boxed().toList());
    CellResult.LongModel expected = CellResult.LongModel.of(run);
    known.put(key, expected);
    return expected;
  }

  /// Phases of one cell differ in seed and number of requests; what is expected of them does not.
  private static CellPlan key(CellPlan plan) {
    return plan.withRequests(1, 0, 0);
  }
}
