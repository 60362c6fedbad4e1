package dev.herdlab.dns;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// From a target to its members, again and again: puts the questions, and makes members of answers.
///
/// Of SRV records (RFC 2782) the group with the lowest priority that has an address is used, the
/// others not; a weight of 0 counts as 1. Deviation: the weights are handed on, no draw is made
/// here. Owner thread: the discovery's.
final class Resolution {
  /// The most members of one target.
  static final int MAX_MEMBERS = 4096;

  private final DiscoveryTarget target;
  private final SystemServer server;
  private final Questions questions;

  /// What a pass found.
  ///
  /// @param members sorted; empty if there are none
  /// @param trouble why they may be old or none, one line; empty if all went well
  /// @param usable false if nothing is known: what was known before stays in use
  /// @param nextNanos when to look again
  record Pass(List<Member> members, Optional<String> trouble, boolean usable, long nextNanos) {
    Pass {
      members = List.copyOf(members);
    }
  }

  /// @param records of every type asked for
  /// @param trouble empty if none
  /// @param failed whether the trouble is that there was no answer, rather than that there are none
  private record Found(List<Record> records, String trouble, boolean failed) {}

  Resolution(DiscoveryTarget target, SystemServer server, Questions questions) {
    this.target = target;
    this.server = server;
    this.questions = questions;
  }

  /// One pass.
  Pass pass() throws InterruptedException {
    questions.begin();
    Collected collected = new Collected();
    switch (target) {
      case DiscoveryTarget.Addresses addresses -> collectAddresses(addresses, collected);
      case DiscoveryTarget.Services services -> collectServices(services, collected);
    }
    return collected.pass(questions.end());
  }

  private void collectAddresses(DiscoveryTarget.Addresses addresses, Collected collected)
      throws InterruptedException {
    for (InetAddress address : resolve(addresses.host(), collected)) {
      for (int port = addresses.firstPort(); port <= addresses.lastPort(); port++) {
        collected.add(address, port, 1);
      }
    }
  }

  private void collectServices(DiscoveryTarget.Services services, Collected collected)
      throws InterruptedException {
    Found found = find(services.name(), Type.SRV);
    collected.trouble(services.name(), found);
    Map<Integer, List<SRVRecord>> groups = new TreeMap<>();
    for (Record record : found.records()) {
      SRVRecord service = (SRVRecord) record;
      if (!service.getTarget().equals(Name.root)) {
        groups.computeIfAbsent(service.getPriority(), _ -> new ArrayList<>()).add(service);
      }
    }
    for (List<SRVRecord> group : groups.values()) {
      for (SRVRecord service : group) {
        for (InetAddress address : resolve(service.getTarget().toString(), collected)) {
          collected.add(address, service.getPort(), Math.max(1, service.getWeight()));
        }
      }
      // A group of which nothing is known may not be empty: the next one is not its turn.
      if (collected.found() || collected.failed()) {
        return;
      }
    }
  }

  private List<InetAddress> resolve(String host, Collected collected) throws InterruptedException {
    Optional<InetAddress> known = Hosts.known(host);
    if (known.isPresent()) {
      return List.of(known.get());
    }
    Found found = find(host, Type.A, Type.AAAA);
    collected.trouble(host, found);
    List<InetAddress> addresses = new ArrayList<>();
    for (Record record : found.records()) {
      if (record instanceof ARecord a) {
        addresses.add(a.getAddress());
      } else if (record instanceof AAAARecord aaaa) {
        addresses.add(aaaa.getAddress());
      }
    }
    return addresses;
  }

  /// The records of a name, under the first of its full names that has any.
  private Found find(String host, int... types) throws InterruptedException {
    String failure = "";
    for (Name name : server.candidates(name(host))) {
      List<Record> records = new ArrayList<>();
      String failedHere = "";
      for (int type : types) {
        Questions.Answer answer = questions.put(name, type);
        records.addAll(answer.records());
        failedHere = failedHere.isEmpty() ? answer.failure() : failedHere;
      }
      if (!records.isEmpty()) {
        return new Found(records, failedHere, !failedHere.isEmpty());
      }
      failure = failure.isEmpty() ? failedHere : failure;
    }
    return failure.isEmpty()
        ? new Found(List.of(), "no such name or no such records", false)
        : new Found(List.of(), failure, true);
  }

  private static Name name(String host) {
    try {
      return Name.fromString(host);
    } catch (TextParseException e) {
      throw new IllegalArgumentException("name: " + host + " (expected: a DNS name)", e);
    }
  }

  /// The members as they come together in a pass.
  private static final class Collected {
    private final Map<String, Member> members = new LinkedHashMap<>();
    private String trouble = "";
    private boolean failed;
    private int left;

    /// An address that is named twice has both weights.
    private void add(InetAddress address, int port, int weight) {
      Member member = Member.of(address, port, weight);
      Member before = members.get(member.id());
      if (before == null && members.size() == MAX_MEMBERS) {
        left++;
        return;
      }
      int sum = before == null ? weight : Math.min(Member.MAX_WEIGHT, before.weight() + weight);
      members.put(member.id(), Member.of(address, port, sum));
    }

    private void trouble(String host, Found found) {
      if (!found.trouble.isEmpty() && (trouble.isEmpty() || (found.failed && !failed))) {
        trouble = host + ": " + found.trouble;
      }
      failed |= found.failed;
    }

    private boolean found() {
      return !members.isEmpty();
    }

    private boolean failed() {
      return failed;
    }

    private Pass pass(long nextNanos) {
      if (left > 0) {
        String many = (MAX_MEMBERS + left) + " members (expected: at most " + MAX_MEMBERS + ")";
        return new Pass(List.of(), Optional.of(many), false, nextNanos);
      }
      List<Member> sorted = members.values().stream().sorted().toList();
      return new Pass(
          sorted,
          trouble.isEmpty() ? Optional.empty() : Optional.of(trouble),
          !sorted.isEmpty() || !failed,
          nextNanos);
    }
  }
}
