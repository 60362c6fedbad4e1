package dev.herdlab.lab.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// The keys that a file, `--set` and the environment may give. Owner thread: any (immutable).
///
/// @param keys in the order of documentation; in an experiment, of nesting too
public record KeyTable(List<Key<?>> keys) {
  public KeyTable {
    keys = List.copyOf(keys);
    long names = keys.stream().map(Key::name).distinct().count();
    if (names != keys.size()) {
      throw new IllegalArgumentException("keys: a name twice (expected: unique names)");
    }
  }

  /// Of these keys.
  public static KeyTable of(Key<?>... keys) {
    return new KeyTable(List.of(keys));
  }

  /// These keys, then those of `other`.
  public KeyTable and(KeyTable other) {
    List<Key<?>> all = new ArrayList<>(keys);
    all.addAll(other.keys);
    return new KeyTable(all);
  }

  /// The key of this name.
  public Optional<Key<?>> find(String name) {
    for (Key<?> key : keys) {
      if (key.name().equals(name)) {
        return Optional.of(key);
      }
    }
    return Optional.empty();
  }

  /// The names in order.
  public List<String> names() {
    return keys.stream().<String>map(Key::name).toList();
  }

  /// What is expected instead of `name`: the nearest known one, or all of them.
  String expectedInsteadOf(String name) {
    return nearest(name, names())
        .map(near -> "perhaps " + near)
        .orElseGet(() -> "one of " + String.join(", ", names()));
  }

  /// The known name that `name` was probably meant to be: at most a third of it differs, or only
  /// its ending does.
  public static Optional<String> nearest(String name, Collection<String> known) {
    int limit = Math.max(1, name.length() / 3);
    String best = "";
    int least = limit + 1;
    for (String candidate : known) {
      int distance = sameStem(name, candidate) ? 1 : distance(name, candidate);
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return least <= limit ? Optional.of(best) : Optional.empty();
  }

  /// Such as `proxy` and `proxies`: four letters in common, then endings of at most three.
  private static boolean sameStem(String one, String other) {
    int common = 0;
    int shorter = Math.min(one.length(), other.length());
    while (common < shorter && one.charAt(common) == other.charAt(common)) {
      common++;
    }
    return common >= 4 && Math.max(one.length(), other.length()) - common <= 3;
  }

  /// Edits (insertion, deletion, change) between two words.
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
