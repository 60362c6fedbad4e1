package dev.herdlab.dns;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNAMERecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.NameTooLongException;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/// What the served zones say to a question: the answer's records, not yet a message.
///
/// Aliases are followed through all zones that are served here, at most [DnsClient#MAX_ALIASES] of
/// them. Owner thread: the server's.
final class Authority {
  private static final int[] ADDRESS_TYPES = {Type.A, Type.AAAA};

  private final List<Zone> zones;
  private final Rotation rotation;
  private final IntUnaryOperator coins;

  /// What goes into a reply.
  ///
  /// @param rcode NOERROR, NXDOMAIN or REFUSED
  /// @param authoritative false for a delegation and for what is not served here
  /// @param scope prefix length for which it is good; 0 for all
  /// @param sets that it was made of
  record Answer(
      int rcode,
      boolean authoritative,
      List<Record> answer,
      List<Record> authority,
      List<Record> additional,
      int scope,
      List<RecordSet> sets) {
    /// It has been sent as a whole: the sets may turn.
    void given() {
      sets.forEach(RecordSet::given);
    }
  }

  Authority(List<Zone> zones, Rotation rotation, IntUnaryOperator coins) {
    this.zones = List.copyOf(zones);
    this.rotation = rotation;
    this.coins = coins;
  }

  /// Answers a question of the class IN.
  Answer answer(Name name, int type, Subnet client) {
    Draft draft = new Draft(client);
    Optional<Name> next = Optional.of(name);
    for (int aliases = 0; next.isPresent() && aliases <= DnsClient.MAX_ALIASES; aliases++) {
      next = draft.step(next.get(), type);
    }
    return draft.answer();
  }

  private Optional<Zone> zone(Name name) {
    Zone found = null;
    for (Zone zone : zones) {
      boolean longer = found == null || zone.origin().labels() > found.origin().labels();
      if (name.subdomain(zone.origin()) && longer) {
        found = zone;
      }
    }
    return Optional.ofNullable(found);
  }

  /// An answer in the making.
  private final class Draft {
    private final Subnet client;
    private final List<Record> answer = new ArrayList<>();
    private final List<Record> authority = new ArrayList<>();
    private final List<Record> additional = new ArrayList<>();
    private final List<RecordSet> sets = new ArrayList<>();
    private int rcode = Rcode.NOERROR;
    private boolean authoritative = true;
    private int scope;

    private Draft(Subnet client) {
      this.client = client;
    }

    /// Adds what there is at a name; returns the name to go on with, if it is an alias.
    private Optional<Name> step(Name name, int type) {
      Optional<Zone> zone = zone(name);
      if (zone.isEmpty()) {
        // At the first step the question is not for us; later, the rest of the chain is not.
        if (answer.isEmpty()) {
          rcode = Rcode.REFUSED;
          authoritative = false;
        }
        return Optional.empty();
      }
      Lookup lookup = new Lookup(zone.get(), client);
      Lookup.Result result = lookup.find(name, type);
      Optional<Name> next = add(name, result, zone.get(), lookup);
      scope = Math.max(scope, lookup.scope());
      return next;
    }

    private Optional<Name> add(Name name, Lookup.Result result, Zone zone, Lookup lookup) {
      switch (result) {
        case Lookup.Result.Records(RecordSet set) -> {
          answer.addAll(set.answer(name, rotation, coins));
          sets.add(set);
          addAddresses(set, zone, lookup);
        }
        case Lookup.Result.Alias(RecordSet set) -> {
          List<Record> alias = set.answer(name, rotation, coins);
          answer.addAll(alias);
          return Optional.of(((CNAMERecord) alias.getFirst()).getTarget());
        }
        case Lookup.Result.Moved(RecordSet set) -> {
          return moved(name, (DNAMERecord) set.first());
        }
        case Lookup.Result.Delegated(RecordSet set) -> {
          authoritative &= !answer.isEmpty();
          authority.addAll(set.records());
          addAddresses(set, zone, lookup);
        }
        case Lookup.Result.NoType() -> authority.add(zone.negativeSoa());
        case Lookup.Result.NoName() -> {
          rcode = Rcode.NXDOMAIN;
          authority.add(zone.negativeSoa());
        }
      }
      return Optional.empty();
    }

    private Optional<Name> moved(Name name, DNAMERecord above) {
      answer.add(above);
      try {
        Name target = name.fromDNAME(above);
        answer.add(new CNAMERecord(name, DClass.IN, above.getTTL(), target));
        return Optional.of(target);
      } catch (NameTooLongException e) {
        rcode = Rcode.YXDOMAIN; // RFC 6672, section 2.2
        return Optional.empty();
      }
    }

    /// The addresses of the names that records point to, where the zone has them.
    private void addAddresses(RecordSet set, Zone zone, Lookup lookup) {
      for (Record record : set.records()) {
        Name target = record.getAdditionalName();
        if (target == null || !target.subdomain(zone.origin())) {
          continue;
        }
        for (int type : ADDRESS_TYPES) {
          RecordSet addresses = lookup.at(target).get(type);
          if (addresses != null && !additional.containsAll(addresses.records())) {
            additional.addAll(addresses.records());
          }
        }
      }
    }

    /// Delegations and negative answers are good for all (RFC 7871, section 7.4).
    private Answer answer() {
      return new Answer(
          rcode, authoritative, answer, authority, additional, answer.isEmpty() ? 0 : scope, sets);
    }
  }
}
