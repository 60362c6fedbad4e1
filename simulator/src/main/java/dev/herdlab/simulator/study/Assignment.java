package dev.herdlab.simulator.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Which workers may serve which type of request. Owner thread: any (immutable; arrays are copies).
enum Assignment {
  /// Every worker serves every type.
  UNIFORM("uniform") {
    @Override
    int[] workers(int type) {
      return IntStream.range(0, WORKERS).toArray();
    }
  },
  /// Type i is served by the workers i, i + 1 and i + 3 modulo 12. The differences of {0, 1, 3} are
  /// all distinct modulo 12, so that any two types share one worker at most.
  SHUFFLE("shuffle") {
    @Override
    int[] workers(int type) {
      int[] shard = {type, (type + 1) % WORKERS, (type + 3) % WORKERS};
      Arrays.sort(shard);
      return shard;
    }
  };

  /// Number of workers, and of types.
  static final int WORKERS = 12;

  private final String word;

  Assignment(String word) {
    this.word = word;
  }

  /// As settings and rows write it.
  String word() {
    return word;
  }

  static Assignment of(String word) {
    return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst().orElseThrow();
  }

  /// The workers of `type` (0 to 11), ascending.
  abstract int[] workers(int type);

  /// The types that `worker` (0 to 11) may serve, ascending.
  int[] types(int worker) {
    return IntStream.range(0, WORKERS)
        .filter(type -> Arrays.binarySearch(workers(type), worker) >= 0)
        .toArray();
  }

  /// How many workers each pair of types has in common, all 66 pairs.
  private List<Integer> overlaps() {
    List<Integer> overlaps = new ArrayList<>();
    for (int a = 0; a < WORKERS; a++) {
      for (int b = a + 1; b < WORKERS; b++) {
        int[] others = workers(b);
        overlaps.add(
            (int)
                Arrays.stream(workers(a))
                    .filter(worker -> Arrays.binarySearch(others, worker) >= 0)
                    .count());
      }
    }
    return overlaps;
  }

  int maxOverlap() {
    return overlaps().stream().mapToInt(Integer::intValue).max().orElseThrow();
  }

  double meanOverlap() {
    return overlaps().stream().mapToInt(Integer::intValue).average().orElseThrow();
  }
}
