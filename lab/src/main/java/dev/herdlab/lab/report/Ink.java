package dev.herdlab.lab.report;

/// Whether text is coloured: only where a terminal shows it. Owner thread: any (immutable).
public enum Ink {
  PLAIN,
  COLOUR;

  String good(String text) {
    return paint("32", text);
  }

  String bad(String text) {
    return paint("1;31", text);
  }

  String strong(String text) {
    return paint("1", text);
  }

  private String paint(String code, String text) {
    return this == PLAIN ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
