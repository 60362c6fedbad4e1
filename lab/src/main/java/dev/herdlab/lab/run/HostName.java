package dev.herdlab.lab.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// What this host, or container, is called. Owner thread: any (no state).
final class HostName {
  private static final Path FILE = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /// Its name without a domain.
  static String read() {
    String name;
    try {
      name = Files.readString(FILE, StandardCharsets.UTF_8).strip();
    } catch (IOException notLinux) {
      name = ofNetwork();
    }
    int dot = name.indexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  private static String ofNetwork() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "host";
    }
  }
}
