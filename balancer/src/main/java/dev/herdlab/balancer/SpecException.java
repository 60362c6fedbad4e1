package dev.herdlab.balancer;

/// A spec that cannot be read: the message is one line that says what, where and what was expected.
public final class SpecException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  SpecException(String message) {
    super(message);
  }
}
