package dev.herdlab.dns;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/// Asks one DNS server, over UDP, and over TCP when an answer is cut short.
///
/// A question costs one round trip; where the server is silent, at most [#ATTEMPTS] times the
/// time-out. Follows aliases that the server leaves to be followed. Owner thread: any, one at a
/// time; the sockets' is dnsjava's own.
final class DnsClient {
  /// How often a question is sent to a server that is silent.
  static final int ATTEMPTS = 2;

  /// How long an answer is waited for, each time.
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  /// The most aliases from name to name; a guess far above what is in use.
  static final int MAX_ALIASES = 8;

  private static final int PAYLOAD_BYTES = 1232;

  private final InetSocketAddress server;
  private final Duration timeout;

  DnsClient(InetSocketAddress server, Duration timeout) {
    this.server = server;
    this.timeout = timeout;
    // dnsjava would draw ports of its own from the range in which the kernel gives ports to a load
    // generator's connections. It reads this once, when its first client is made.
    System.setProperty("dnsjava.udp.ephemeral.use_ephemeral_port", "true");
  }

  /// The server, as `ADDRESS:PORT`.
  String serverText() {
    return Hosts.written(server);
  }

  /// Asks for records of a name and follows aliases.
  ///
  /// @throws InterruptedException if the thread is to end
  DnsReply ask(Name name, int type) throws InterruptedException {
    Name asked = name;
    long ttl = Integer.MAX_VALUE;
    for (int aliases = 0; aliases <= MAX_ALIASES; aliases++) {
      DnsReply reply = askOnce(asked, type, Optional.empty());
      if (!(reply instanceof DnsReply.Found found)) {
        return reply;
      }
      ttl = Math.min(ttl, found.ttlSeconds());
      if (found.records().getFirst() instanceof CNAMERecord alias && type != Type.CNAME) {
        asked = alias.getTarget();
      } else {
        return new DnsReply.Found(found.records(), ttl, found.message());
      }
    }
    return new DnsReply.Failed("more than " + MAX_ALIASES + " aliases");
  }

  /// Asks once. An answer that ends in an alias has that alias as its only record.
  DnsReply askOnce(Name name, int type, Optional<ClientSubnetOption> subnet)
      throws InterruptedException {
    Message query = Message.newQuery(Record.newRecord(name, type, DClass.IN));
    List<EDNSOption> options = new ArrayList<>();
    subnet.ifPresent(options::add);
    query.addRecord(new OPTRecord(PAYLOAD_BYTES, 0, 0, 0, options), Section.ADDITIONAL);
    SimpleResolver resolver = new SimpleResolver(server);
    resolver.setTimeout(timeout);
    String failure = "";
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      CompletableFuture<Message> answer =
          resolver.sendAsync(query, Runnable::run).toCompletableFuture();
      try {
        return reply(answer.get(), name, type);
      } catch (ExecutionException e) {
        failure = words(cause(e));
      }
    }
    return new DnsReply.Failed(serverText() + ": " + failure);
  }

  private static Throwable cause(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private String words(Throwable failure) {
    return switch (failure) {
      case java.net.SocketTimeoutException _ ->
          "no answer within " + timeout.toMillis() * ATTEMPTS + " ms";
      case java.net.PortUnreachableException _ -> "no server there";
      case java.net.ConnectException _ -> "no server there";
      case IOException e -> "no usable answer: " + e.getMessage();
      default -> "no usable answer: " + failure;
    };
  }

  private DnsReply reply(Message message, Name name, int type) {
    int rcode = message.getRcode();
    if (rcode != Rcode.NOERROR && rcode != Rcode.NXDOMAIN) {
      return new DnsReply.Failed(serverText() + " answers " + Rcode.string(rcode));
    }
    List<Record> found = new ArrayList<>();
    Name current = name;
    long ttl = Integer.MAX_VALUE;
    List<Record> answer = message.getSection(Section.ANSWER);
    Optional<CNAMERecord> last = Optional.empty();
    for (int aliases = 0; aliases <= MAX_ALIASES && found.isEmpty(); aliases++) {
      Name owner = current;
      Optional<CNAMERecord> alias = Optional.empty();
      for (Record record : answer) {
        if (!record.getName().equals(owner)) {
          continue;
        }
        if (record.getType() == type) {
          found.add(record);
          ttl = Math.min(ttl, record.getTTL());
        } else if (record instanceof CNAMERecord cname) {
          alias = Optional.of(cname);
        }
      }
      if (!found.isEmpty() || alias.isEmpty()) {
        break;
      }
      last = alias;
      ttl = Math.min(ttl, alias.get().getTTL());
      current = alias.get().getTarget();
    }
    if (!found.isEmpty()) {
      return new DnsReply.Found(found, ttl, message);
    }
    Optional<Long> negative = negativeTtl(message);
    if (rcode == Rcode.NXDOMAIN || last.isEmpty() || negative.isPresent()) {
      DnsReply.Absence absence =
          rcode == Rcode.NXDOMAIN ? DnsReply.Absence.NAME : DnsReply.Absence.TYPE;
      return new DnsReply.Absent(absence, Math.min(ttl, negative.orElse(0L)), message);
    }
    return new DnsReply.Found(List.of(last.get()), ttl, message);
  }

  /// RFC 2308, section 5.
  private static Optional<Long> negativeTtl(Message message) {
    return message.getSection(Section.AUTHORITY).stream()
        .filter(SOARecord.class::isInstance)
        .map(record -> Math.min(record.getTTL(), ((SOARecord) record).getMinimum()))
        .findFirst();
  }
}
