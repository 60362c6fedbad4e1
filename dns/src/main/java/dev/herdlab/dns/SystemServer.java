package dev.herdlab.dns;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.xbill.DNS.Name;
import org.xbill.DNS.NameTooLongException;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.config.ResolvConfResolverConfigProvider;

/// Which server is asked, and under which full names a short one is looked for.
///
/// Owner thread: any (immutable).
///
/// @param address of the server
/// @param search suffixes
/// @param ndots a name with at least as many dots is tried as it stands first
record SystemServer(InetSocketAddress address, List<Name> search, int ndots) {
  SystemServer {
    search = List.copyOf(search);
  }

  /// The first server of `/etc/resolv.conf` with its search list; the one on this machine if the
  /// file names none.
  static SystemServer fromResolvConf() {
    ResolvConfResolverConfigProvider file = new ResolvConfResolverConfigProvider();
    file.initialize();
    InetSocketAddress first =
        file.servers().stream()
            .filter(server -> !server.isUnresolved())
            .findFirst()
            .orElseGet(
                () ->
                    new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), SimpleResolver.DEFAULT_PORT));
    return new SystemServer(first, file.searchPaths(), file.ndots());
  }

  /// A given server: names are taken as they stand.
  static SystemServer given(InetSocketAddress address) {
    return new SystemServer(address, List.of(), 0);
  }

  /// The full names to try, in order (`resolv.conf(5)`).
  ///
  /// @param name relative, or absolute when it was written with a dot at the end
  List<Name> candidates(Name name) {
    if (name.isAbsolute()) {
      return List.of(name);
    }
    List<Name> candidates = new ArrayList<>();
    for (Name suffix : search) {
      add(candidates, name, suffix);
    }
    boolean first = name.labels() - 1 >= ndots;
    List<Name> plain = new ArrayList<>();
    add(plain, name, Name.root);
    candidates.addAll(first ? 0 : candidates.size(), plain);
    return candidates;
  }

  private static void add(List<Name> candidates, Name name, Name suffix) {
    try {
      candidates.add(Name.concatenate(name, suffix));
    } catch (NameTooLongException tooLong) {
      // Then there is no such name.
    }
  }
}
