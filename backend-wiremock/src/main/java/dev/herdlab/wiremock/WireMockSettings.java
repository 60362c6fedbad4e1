package dev.herdlab.wiremock;

import java.nio.file.Path;

/// Everything that defines a [WireMockEngine].
///
/// Owner thread: any (immutable).
///
/// @param root folder with `mappings/` and `__files/`, either of which may be missing
/// @param templating which responses are templates
/// @param journalEntries most requests that WireMock remembers for its admin API, 0 = none: it
///     costs time and memory for each request
/// @param maxBodyBytes longest body of a request, above 0; longer ones are refused with 413
public record WireMockSettings(
    Path root, Templating templating, int journalEntries, int maxBodyBytes) {
  /// Default of [#journalEntries].
  public static final int DEFAULT_JOURNAL_ENTRIES = 0;

  /// Default of [#maxBodyBytes]: 1 MiB.
  public static final int DEFAULT_MAX_BODY_BYTES = 1 << 20;

  private static final int MAX_JOURNAL_ENTRIES = 1_000_000;
  private static final int MAX_BODY_BYTES = 1 << 30;

  /// Which responses WireMock renders as Handlebars templates.
  public enum Templating {
    /// None.
    OFF,
    /// Those of mappings with the transformer `response-template`: WireMock's default.
    MAPPINGS,
    /// All: WireMock's `--global-response-templating`.
    ALL
  }

  public WireMockSettings {
    require("journal", journalEntries, 0, MAX_JOURNAL_ENTRIES);
    require("maxBodyBytes", maxBodyBytes, 1, MAX_BODY_BYTES);
  }

  /// The defaults over a folder.
  public static WireMockSettings of(Path root) {
    return new WireMockSettings(
        root, Templating.MAPPINGS, DEFAULT_JOURNAL_ENTRIES, DEFAULT_MAX_BODY_BYTES);
  }

  /// The same, with other templating.
  public WireMockSettings with(Templating other) {
    return new WireMockSettings(root, other, journalEntries, maxBodyBytes);
  }

  /// The same, with another journal.
  public WireMockSettings withJournal(int entries) {
    return new WireMockSettings(root, templating, entries, maxBodyBytes);
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + least + " to " + most + ")");
    }
  }
}
