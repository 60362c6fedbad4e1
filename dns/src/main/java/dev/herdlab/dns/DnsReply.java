package dev.herdlab.dns;

import java.util.List;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;

/// What came of one question. Owner thread: any (immutable).
sealed interface DnsReply {
  /// The answer.
  ///
  /// @param records of the type asked for, in the order of the answer; at least one
  /// @param ttlSeconds how long it may be believed: the least of the chain's, 0 to 2^31-1
  /// @param message all of it
  record Found(List<Record> records, long ttlSeconds, Message message) implements DnsReply {
    public Found {
      records = List.copyOf(records);
    }
  }

  /// The server says that there is no such thing.
  ///
  /// @param absence which
  /// @param ttlSeconds how long that may be believed: the SOA's minimum or TTL, the lesser (RFC
  ///     2308); 0 where the server gave no SOA
  /// @param message all of it
  record Absent(Absence absence, long ttlSeconds, Message message) implements DnsReply {}

  /// No answer.
  ///
  /// @param reason one line, without the name: `no answer from 127.0.0.1:53 within 2 s`
  record Failed(String reason) implements DnsReply {}

  /// What is not there.
  enum Absence {
    /// The name.
    NAME,
    /// Records of that type at the name.
    TYPE
  }
}
