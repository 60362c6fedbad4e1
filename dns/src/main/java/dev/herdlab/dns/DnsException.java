package dev.herdlab.dns;

/// A question that got no answer, or a negative one, as one line. Owner thread: any.
public final class DnsException extends Exception {
  private static final long serialVersionUID = 1L;

  DnsException(String line) {
    super(line);
  }
}
