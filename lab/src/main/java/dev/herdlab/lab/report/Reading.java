package dev.herdlab.lab.report;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What the numbers of a run say, in sentences that are computed from them.
///
/// Cells that differ in nothing but the seed are averaged. An algorithm is held against round-robin
/// with the same pool, load and proxies; round-robin reads no loads, so that any view of it serves.
/// Owner thread: any.
final class Reading {
  /// Differences below this share are not worth a word: measured p99s of a few thousand requests
  /// scatter more. A judgement, not a test.
  private static final double NOTABLE = 0.10;

  private final List<Group> groups = new ArrayList<>();

  /// Cells that differ in nothing but the seed.
  private record Group(CellPlan plan, double p99, boolean valid) {
    String name() {
      return plan.algorithm() + " " + sight(plan) + ", k=" + plan.proxies();
    }

    private static String sight(CellPlan plan) {
      return switch (plan.view().replaceAll("\\(.*", "")) {
        case "local" -> "that sees its own requests";
        case "shared" -> "on true counts";
        case "shared-stale" -> "on counts up to " + refresh(plan) + " old (" + plan.view() + ")";
        default -> "on " + plan.view();
      };
    }

    private static String refresh(CellPlan plan) {
      String refresh = plan.view().replaceAll(".*refresh=([^,)]*).*", "$1");
      return refresh.matches("[0-9.]+u?") ? refresh.replace("u", "") + " units" : refresh;
    }
  }

  private Reading(List<CellResult> cells) {
    Map<CellPlan, List<CellResult>> byPlan = new LinkedHashMap<>();
    for (CellResult cell : cells) {
      byPlan.computeIfAbsent(withoutSeed(cell.plan()), plan -> new ArrayList<>()).add(cell);
    }
    byPlan.forEach(
        (plan, alike) ->
            alike.stream()
                .flatMap(cell -> Figures.shown(cell).stream())
                .mapToDouble(Quantiles::p99)
                .average()
                .ifPresent(
                    p99 ->
                        groups.add(new Group(plan, p99, alike.stream().allMatch(Reading::valid)))));
  }

  private static boolean valid(CellResult cell) {
    return cell.verdict().map(CellResult.Verdict::valid).orElse(true);
  }

  /// The sentences, the most general first.
  static List<String> of(List<CellResult> cells) {
    Reading reading = new Reading(cells);
    List<String> sentences = new ArrayList<>();
    reading.groups.forEach(group -> reading.againstRoundRobin(group).ifPresent(sentences::add));
    reading.groups.forEach(group -> reading.withMoreProxies(group).ifPresent(sentences::add));
    sentences.addAll(agreement(cells));
    return sentences;
  }

  private Optional<String> againstRoundRobin(Group group) {
    if (group.plan().algorithm().startsWith("round-robin")) {
      return Optional.empty();
    }
    CellPlan like = with(group.plan(), group.plan().proxies(), "", "");
    return groups.stream()
        .filter(other -> other.plan().algorithm().equals("round-robin"))
        .filter(other -> with(other.plan(), other.plan().proxies(), "", "").equals(like))
        .findFirst()
        .map(roundRobin -> compare(group, roundRobin));
  }

  private static String compare(Group group, Group roundRobin) {
    double ratio = group.p99() / roundRobin.p99();
    String verdict;
    if (ratio > 1 + NOTABLE) {
      boolean stale = group.plan().view().startsWith("shared-stale");
      verdict =
          (stale ? "the herd: " : "") + String.format(Locale.ROOT, "%.1f times as long", ratio);
    } else if (ratio < 1 - NOTABLE) {
      verdict = String.format(Locale.ROOT, "%.0f %% shorter", (1 - ratio) * 100);
    } else {
      verdict = "no clear difference";
    }
    return String.format(
        Locale.ROOT,
        "%s: p99 %s units, round-robin %s: %s%s.",
        group.name(),
        Figures.units(group.p99()),
        Figures.units(roundRobin.p99()),
        verdict,
        doubt(group, roundRobin));
  }

  private static String doubt(Group one, Group other) {
    return one.valid() && other.valid() ? "" : " (if a run that is not valid may be believed)";
  }

  /// From the smallest number of proxies to this, if this is the largest of the same algorithm and
  /// view.
  private Optional<String> withMoreProxies(Group group) {
    CellPlan like = with(group.plan(), 0, group.plan().algorithm(), group.plan().view());
    List<Group> family =
        groups.stream()
            .filter(
                other ->
                    with(other.plan(), 0, other.plan().algorithm(), other.plan().view())
                        .equals(like))
            .sorted(Comparator.comparingInt(other -> other.plan().proxies()))
            .toList();
    if (family.size() < 2 || !family.getLast().equals(group)) {
      return Optional.empty();
    }
    Group first = family.getFirst();
    double ratio = group.p99() / first.p99();
    String verdict =
        Math.abs(ratio - 1) <= NOTABLE
            ? "hardly changed"
            : String.format(Locale.ROOT, "%s times as long", Figures.units(ratio));
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%s (%s) from %d to %d proxies: p99 from %s to %s units, %s%s.",
            group.plan().algorithm(),
            group.plan().view(),
            first.plan().proxies(),
            group.plan().proxies(),
            Figures.units(first.p99()),
            Figures.units(group.p99()),
            verdict,
            doubt(group, first)));
  }

  private static List<String> agreement(List<CellResult> cells) {
    List<CellResult> all = cells.stream().filter(cell -> !cell.tried().isEmpty()).toList();
    if (all.isEmpty()) {
      return List.of();
    }
    List<CellResult.Comparison> valid =
        all.stream()
            .filter(Reading::valid)
            .flatMap(cell -> cell.comparison().stream())
            .filter(CellResult.Comparison::hasSample)
            .toList();
    long unstable = all.stream().filter(Reading::valid).filter(CellResult::isUnstable).count();
    long invalid = all.stream().filter(cell -> !valid(cell)).count();
    List<String> sentences = new ArrayList<>();
    if (!valid.isEmpty()) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "Sockets and model: in %d of %d cells (the valid ones%s) p50, p95 and p99 differ from the"
                  + " replay by at most %.1f, %.1f and %.1f %%.",
              valid.size(),
              all.size(),
              unstable > 0 ? " that settle" : "",
              worst(valid, Quantile.P50),
              worst(valid, Quantile.P95),
              worst(valid, Quantile.P99)));
      sentences.addAll(twins(valid));
    }
    if (invalid > 0) {
      sentences.add(
          invalid
              + " of "
              + all.size()
              + " cells are not valid: their numbers show the instrument, not the algorithm.");
    }
    return sentences;
  }

  /// Algorithms with coins and without are judged by different things, so they are counted apart.
  private static List<String> twins(List<CellResult.Comparison> valid) {
    List<CellResult.Twin> coins = new ArrayList<>();
    List<CellResult.Twin> coinless = new ArrayList<>();
    for (CellResult.Comparison comparison : valid) {
      (comparison.twin().hasCoins() ? coins : coinless).add(comparison.twin());
    }
    List<String> sentences = new ArrayList<>();
    if (!coins.isEmpty()) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "Of %s the twin agrees at p50, p95 and p99 in %d.",
              cells(coins.size(), "valid", "whose algorithm flips coins"),
              coins.stream().filter(CellResult.Twin::agrees).count()));
    }
    if (!coinless.isEmpty()) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "Of %s, judged by picks alone, the twin makes the same picks in %d.",
              cells(coinless.size(), "valid", "whose algorithm flips none"),
              coinless.stream().filter(CellResult.Twin::agrees).count()));
    }
    return sentences;
  }

  private static String cells(int count, String which, String that) {
    return count + " " + which + (count == 1 ? " cell " : " cells ") + that;
  }

  private enum Quantile {
    P50,
    P95,
    P99;

    double of(Quantiles quantiles) {
      return switch (this) {
        case P50 -> quantiles.p50();
        case P95 -> quantiles.p95();
        case P99 -> quantiles.p99();
      };
    }
  }

  private static double worst(List<CellResult.Comparison> comparisons, Quantile quantile) {
    return comparisons.stream()
            .mapToDouble(
                comparison ->
                    Math.abs(
                        quantile.of(comparison.measured()) / quantile.of(comparison.replay()) - 1))
            .max()
            .orElse(0)
        * 100;
  }

  private static CellPlan withoutSeed(CellPlan plan) {
    return with(plan, plan.proxies(), plan.algorithm(), plan.view());
  }

  private static CellPlan with(CellPlan plan, int proxies, String algorithm, String view) {
    return plan.withRequests(plan.requests(), plan.warmup(), 0)
        .withBalancers(proxies, algorithm, view, plan.rho());
  }
}
