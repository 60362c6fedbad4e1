package dev.herdlab.lab.conduct;

import dev.herdlab.lab.config.CellPlan;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// What is played next: the experiment's cells in turn, cycle after cycle, unless a person has
/// asked for something else.
///
/// A wish is played as one phase, before the cell whose turn it is; held, it is played again until
/// it is released, and the cells then go on where they were. Owner thread: any (synchronized).
final class Program {
  private final List<CellPlan> cells;
  private final long cycles;
  private long played;
  private long turn;
  private @Nullable Wish wish;
  private boolean held;

  /// @param cells 1 or more
  /// @param cycles how often all are played, 0 for ever
  Program(List<CellPlan> cells, long cycles) {
    this.cells = List.copyOf(cells);
    this.cycles = cycles;
  }

  /// What a person wants of the next phase; what is empty stays as in the cell whose turn it is.
  ///
  /// @param algorithm a valid spec
  /// @param view a valid spec
  /// @param rho offered load, above 0
  record Wish(Optional<String> algorithm, Optional<String> view, OptionalDouble rho) {
    CellPlan applyTo(CellPlan plan) {
      return plan.withBalancers(
          plan.proxies(),
          algorithm.orElse(plan.algorithm()),
          view.orElse(plan.view()),
          rho.orElse(plan.rho()));
    }
  }

  /// One phase to come.
  ///
  /// @param number of the phase, from 1
  /// @param cycle from 1
  /// @param wished whether a person asked for it
  record Step(long number, long cycle, CellPlan plan, boolean wished) {}

  /// Takes the next step; empty when all cycles are played.
  synchronized Optional<Step> next() {
    long cycle = turn / cells.size();
    if (cycles > 0 && cycle >= cycles) {
      return Optional.empty();
    }
    CellPlan cell = cells.get((int) (turn % cells.size()));
    Wish asked = wish;
    played++;
    if (asked == null) {
      turn++;
      return Optional.of(new Step(played, cycle + 1, cell, false));
    }
    if (!held) {
      wish = null;
    }
    return Optional.of(new Step(played, cycle + 1, asked.applyTo(cell), true));
  }

  /// Wants the next phase otherwise.
  ///
  /// @param hold whether it is repeated until [#release]
  synchronized void ask(Wish next, boolean hold) {
    wish = next;
    held = hold;
  }

  /// Goes on with the cells.
  synchronized void release() {
    wish = null;
    held = false;
  }

  /// The cells that are played in turn.
  List<CellPlan> cells() {
    return cells;
  }

  /// The plan of the next step as things stand; empty when there is none.
  synchronized Optional<CellPlan> peek() {
    long cycle = turn / cells.size();
    if (cycles > 0 && cycle >= cycles) {
      return Optional.empty();
    }
    CellPlan cell = cells.get((int) (turn % cells.size()));
    return Optional.of(wish == null ? cell : wish.applyTo(cell));
  }

  /// Whether a wish is repeated.
  synchronized boolean isHeld() {
    return held;
  }
}
