package dev.herdlab.workload;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How a backend fails while it is told to.
///
/// Owner thread: any (immutable).
///
/// @param kind the way
/// @param status the status code of `STATUS`, 400 to 599; 0 otherwise
public record BackendFault(Kind kind, int status) {
  /// It works.
  public static final BackendFault NONE = new BackendFault(Kind.NONE, 0);

  /// Nobody listens, and its connections are reset with all they carried.
  public static final BackendFault REFUSE = new BackendFault(Kind.REFUSE, 0);

  /// It accepts connections and requests and answers none, but for those that it had already. When
  /// the fault ends, requests whose clients still wait join the queue, as if they arrived then.
  public static final BackendFault HANG = new BackendFault(Kind.HANG, 0);

  /// It closes the connection of each request that it has read.
  public static final BackendFault CLOSE = new BackendFault(Kind.CLOSE, 0);

  private static final Pattern STATUS = Pattern.compile("status=([45]\\d\\d)");

  /// The ways to fail.
  public enum Kind {
    /// Not at all.
    NONE,
    /// See [BackendFault#REFUSE].
    REFUSE,
    /// See [BackendFault#HANG].
    HANG,
    /// See [BackendFault#CLOSE].
    CLOSE,
    /// It answers each request at once with a status of failure.
    STATUS
  }

  public BackendFault {
    boolean valid = kind == Kind.STATUS ? status >= 400 && status <= 599 : status == 0;
    if (!valid) {
      throw new IllegalArgumentException(
          "status: " + status + " (expected: 400 to 599 for STATUS, 0 otherwise)");
    }
  }

  /// The fault that `spec` names: `none`, `refuse`, `hang`, `close`, or `status=NNN`.
  public static BackendFault parse(String spec) {
    Matcher matcher = STATUS.matcher(spec);
    if (matcher.matches()) {
      return new BackendFault(Kind.STATUS, Integer.parseInt(matcher.group(1)));
    }
    return switch (spec) {
      case "none" -> NONE;
      case "refuse" -> REFUSE;
      case "hang" -> HANG;
      case "close" -> CLOSE;
      default ->
          throw new IllegalArgumentException(
              "fault: \"" + spec + "\" (expected: none, refuse, hang, close or status=400 to 599)");
    };
  }

  /// The spec that gives this fault again.
  public String spec() {
    return switch (kind) {
      case NONE -> "none";
      case REFUSE -> "refuse";
      case HANG -> "hang";
      case CLOSE -> "close";
      case STATUS -> "status=" + status;
    };
  }
}
