package dev.herdlab.lab.result;

import dev.herdlab.dns.Skew;
import dev.herdlab.simulator.Quantiles;
import java.util.List;
import java.util.Optional;

/// How unevenly requests fall on proxies that are found through DNS: measured with a real server
/// beside the model.
///
/// Owner thread: any (immutable).
///
/// @param proxies how many there are
/// @param requests in each row
/// @param requestsPerUnit their rate
/// @param seed of the requests
/// @param windowUnits how long a window is
/// @param rows one for each rotation, number of clients and TTL
public record DnsSkewResult(
    int proxies,
    int requests,
    double requestsPerUnit,
    long seed,
    double windowUnits,
    List<Row> rows) {
  public DnsSkewResult {
    rows = List.copyOf(rows);
  }

  /// One combination.
  ///
  /// @param rotation of the server
  /// @param ttl of its answers, in units
  /// @param questions that the clients asked of the server
  /// @param measured where the requests went by the server's answers
  /// @param http what they met when they were sent; empty if they were not
  public record Row(
      String rotation,
      int clients,
      int ttl,
      int questions,
      Skew measured,
      Model model,
      Optional<Http> http) {}

  /// What the model says.
  ///
  /// @param runs with different coins; 1 for a rotation without any
  /// @param different requests that go to another proxy than measured; for a rotation without
  ///     coins, else 0
  /// @param largest see [Skew#largest]
  /// @param variation see [Skew#variation]
  /// @param window see [Skew#window]
  public record Model(
      int runs,
      int different,
      CellResult.Spread largest,
      CellResult.Spread variation,
      CellResult.Spread window) {
    /// True if every number agrees: without coins, if no request differs.
    public boolean agrees() {
      return largest.agrees() && variation.agrees() && window.agrees();
    }
  }

  /// The same requests over real sockets, through the proxies that DNS named. Latencies in units.
  ///
  /// @param replay the model with the measured backends
  /// @param verdict whether the measurement may be trusted
  public record Http(Quantiles measured, Quantiles replay, CellResult.Verdict verdict) {}
}
