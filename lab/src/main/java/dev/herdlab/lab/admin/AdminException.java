package dev.herdlab.lab.admin;

/// A request that is refused, with the status of the answer and one line that says why.
public final class AdminException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /// @param status 400 to 599
  /// @param line `what: value (expected: ...)`
  public AdminException(int status, String line) {
    super(line);
    this.status = status;
  }

  /// There is no such thing: 404.
  public static AdminException notFound(String line) {
    return new AdminException(404, line);
  }

  /// The component's state forbids it: 409.
  public static AdminException conflict(String line) {
    return new AdminException(409, line);
  }

  /// The status of the answer.
  public int status() {
    return status;
  }
}
