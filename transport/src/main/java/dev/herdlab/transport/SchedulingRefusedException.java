package dev.herdlab.transport;

/// The system refuses the scheduling that was asked for; the message is one line for people: what,
/// and what is needed.
public final class SchedulingRefusedException extends Exception {
  private static final long serialVersionUID = 1;

  SchedulingRefusedException(String message) {
    super(message);
  }
}
