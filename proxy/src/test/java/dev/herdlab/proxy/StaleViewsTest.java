package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What becomes of copies that a board delivers whenever it likes.
@Timeout(60)
class StaleViewsTest {
  private static final long HOUR = 3_600_000 * Site.MILLISECOND;
  private final ByHand board = new ByHand();
  private Site site;

  /// A board that delivers what a test says, when it says so.
  private static final class ByHand implements CountBoard {
    private final List<String> asked = new ArrayList<>();
    private @Nullable BoardMember member;
    private long number;

    @Override
    public Scope scope() {
      return Scope.ALL_PROCESSES;
    }

    @Override
    public void open(BoardMember proxies) {
      member = proxies;
    }

    @Override
    public void commonCopyDue(long refreshNanos) {
      asked.add("all");
    }

    @Override
    public void copyDue(int instance, long refreshNanos) {
      asked.add("one " + instance);
    }

    private BoardMember member() {
      return Objects.requireNonNull(member);
    }

    void deliverToAll() {
      member().execute(() -> member().showAll(next(), member().picks()));
    }

    void deliverTo(int instance) {
      member().execute(() -> member().show(instance, next(), member().picks()[instance]));
    }

    private Snapshot next() {
      return member().inFlight(++number);
    }

    @Override
    public Health health() {
      return new Health("by hand", true, 1, 0, 0);
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void start() throws Exception {
    site = new Site(board, 2, List.of());
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  /// The proxies that were shown a copy, once everything delivered so far has arrived.
  private List<Integer> shownTo() {
    // What is asked of the loop is answered after what it was told before.
    assertThat(site.pool().state().instances()).hasSize(2);
    return site.shown().stream().map(Site.Shown::proxy).toList();
  }

  @Test
  void aCopyThatWasDueUnderTheLastInstallationIsNotShown() {
    site.install("shared-stale(refresh=1s)", 0, HOUR);
    board.deliverToAll();
    assertThat(shownTo()).isEmpty();
    site.install("shared-stale(refresh=1s)");
    board.deliverToAll();
    assertThat(shownTo()).containsExactly(0, 1);
  }

  @Test
  void aViewThatIsAlwaysFreshIsShownNone() {
    site.install("local");
    board.deliverToAll();
    board.deliverTo(1);
    assertThat(shownTo()).isEmpty();
  }

  @Test
  void aViewWithAPhaseOfItsOwnIsShownNoCommonCopy() {
    site.install("shared-stale(refresh=1ms,phase=random)", 0, -Site.MILLISECOND);
    board.deliverToAll();
    board.deliverTo(1);
    assertThat(shownTo()).containsExactly(1);
  }

  @Test
  void aViewThatWaitsForCommonCopiesIsShownNoOther() {
    site.install("shared-stale(refresh=1s)");
    board.deliverTo(1);
    assertThat(shownTo()).isEmpty();
  }

  @Test
  void theBoardIsAskedForWhatTheViewNeeds() {
    site.install("shared-stale(refresh=3600s)");
    assertThat(asked(1)).containsExactly("all");
    site.install("shared-stale(refresh=3600s,phase=random)", 0, -HOUR);
    assertThat(asked(3)).containsExactlyInAnyOrder("all", "one 0", "one 1");
  }

  private List<String> asked(int count) {
    Site.eventually("asked", () -> onLoop().size() >= count);
    return onLoop();
  }

  private List<String> onLoop() {
    List<String> copy = new ArrayList<>();
    var done = new java.util.concurrent.CompletableFuture<Void>();
    board
        .member()
        .execute(
            () -> {
              copy.addAll(board.asked);
              done.complete(null);
            });
    done.join();
    return copy;
  }
}
