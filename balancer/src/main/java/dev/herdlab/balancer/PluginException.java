package dev.herdlab.balancer;

/// A plug-in that cannot be used: the message is one line that says which, what was found and what
/// was expected.
public final class PluginException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  PluginException(String origin, String found, String expected) {
    super("plugin %s: %s (expected: %s)".formatted(origin, found, expected));
  }

  PluginException(String origin, Throwable cause, String expected) {
    this(origin, inOneLine(cause), expected);
    initCause(cause);
  }

  private static String inOneLine(Throwable thrown) {
    String own = thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    Throwable cause = thrown.getCause();
    String all = cause == null ? own : own + ": " + cause;
    return all.replaceAll("\\p{Cntrl}+", " ");
  }
}
