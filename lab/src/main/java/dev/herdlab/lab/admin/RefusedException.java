package dev.herdlab.lab.admin;

import java.io.IOException;

/// A component's answer that it will not, or cannot, do what it was asked. The message is one line
/// that names the component, its address, what was asked and what it said.
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;

  RefusedException(int status, String line) {
    super(line);
    this.status = status;
  }

  /// The answer's status: 400 what was asked is wrong, 404 there is no such thing, 409 the state
  /// forbids it, 5xx it failed.
  public int status() {
    return status;
  }
}
