package dev.herdlab.transport;

import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/// What the header fields of one head say about the message's length and its connection, gathered
/// field by field. Whatever leaves the length in doubt is refused.
///
/// Owner thread: its scanner's. Source: RFC 9112 sections 6.1 to 6.3, 9.3; RFC 9110 sections 7.2,
/// 7.6.1.
/// Deviation: equal repetitions of Content-Length, which RFC 9110 section 8.6 lets a recipient
/// accept, are refused.
final class HeadFraming {
  private static final AsciiString CHUNKED = AsciiString.cached("chunked");
  private static final AsciiString CLOSE = AsciiString.cached("close");
  // 10^18 - 1 fits a long with room for sums; no body is larger.
  static final int MAX_LENGTH_DIGITS = 18;

  private long contentLength;
  private boolean chunked;
  private int hosts;
  private boolean close;
  private boolean keepAlive;
  private boolean listsNames;
  private boolean expectsContinue;

  void reset() {
    contentLength = -1;
    chunked = false;
    hosts = 0;
    close = false;
    keepAlive = false;
    listsNames = false;
    expectsContinue = false;
  }

  /// Takes one field.
  ///
  /// @return why the message is refused, or null
  @Nullable String take(KnownField field, byte[] octets, int start, int end) {
    return switch (field) {
      case CONTENT_LENGTH -> contentLength(octets, start, end);
      case TRANSFER_ENCODING -> {
        if (chunked) {
          yield "Transfer-Encoding twice";
        }
        chunked = true;
        yield Octets.equalsIgnoringCase(octets, start, end, CHUNKED)
            ? null
            : "Transfer-Encoding is not exactly 'chunked'";
      }
      case HOST -> host(octets, start, end);
      case CONNECTION -> connection(octets, start, end);
      case EXPECT -> {
        expectsContinue = true;
        yield null;
      }
      case OTHER,
          PROXY_CONNECTION,
          KEEP_ALIVE,
          TE,
          UPGRADE,
          HTTP2_SETTINGS,
          VIA,
          X_FORWARDED_FOR,
          X_HERDLAB_CAUSE,
          X_HERDLAB_PROXY,
          X_HERDLAB_PROXY_STAMPS,
          X_HERDLAB_ATTEMPTS,
          X_HERDLAB_REPORT,
          X_HERDLAB_IDLE_QUEUE,
          X_HERDLAB_TIMEOUT,
          ENDPOINT_LOAD_METRICS ->
          null;
    };
  }

  /// Judges the whole, once the last field is taken.
  ///
  /// @return why the message is refused, or null
  @Nullable String judge(boolean request, int minorVersion) {
    if (chunked && contentLength >= 0) {
      return "both Transfer-Encoding and Content-Length";
    }
    if (chunked && minorVersion == 0) {
      return "Transfer-Encoding in HTTP/1.0";
    }
    if (request && minorVersion == 1 && hosts == 0) {
      return "no Host";
    }
    return null;
  }

  private @Nullable String contentLength(byte[] octets, int start, int end) {
    if (contentLength >= 0) {
      return "Content-Length twice";
    }
    if (start == end || end - start > MAX_LENGTH_DIGITS) {
      return "Content-Length is empty or too large";
    }
    long length = 0;
    for (int i = start; i < end; i++) {
      if (!Octets.isDigit(octets[i])) {
        return "Content-Length is not a number";
      }
      length = length * 10 + octets[i] - '0';
    }
    contentLength = length;
    return null;
  }

  private @Nullable String host(byte[] octets, int start, int end) {
    if (++hosts > 1) {
      return "Host twice";
    }
    for (int i = start; i < end; i++) {
      if (!Octets.isHost(octets[i])) {
        return "Host is not a host";
      }
    }
    return null;
  }

  private @Nullable String connection(byte[] octets, int start, int end) {
    int at = start;
    while (at < end) {
      while (at < end && (octets[at] == ',' || Octets.isBlank(octets[at]))) {
        at++;
      }
      int option = at;
      while (at < end && Octets.isToken(octets[at])) {
        at++;
      }
      if (option < at) {
        String refusal = option(octets, option, at);
        if (refusal != null) {
          return refusal;
        }
      }
      while (at < end && Octets.isBlank(octets[at])) {
        at++;
      }
      if (at < end && octets[at] != ',') {
        return "Connection is not a list of names";
      }
    }
    return null;
  }

  private @Nullable String option(byte[] octets, int start, int end) {
    if (Octets.equalsIgnoringCase(octets, start, end, CLOSE)) {
      close = true;
      return null;
    }
    return switch (KnownField.of(octets, start, end)) {
      case KEEP_ALIVE -> {
        keepAlive = true;
        yield null;
      }
      // Removed at this hop whether listed or not.
      case CONNECTION,
          PROXY_CONNECTION,
          TE,
          UPGRADE,
          HTTP2_SETTINGS,
          X_HERDLAB_REPORT,
          X_HERDLAB_IDLE_QUEUE,
          ENDPOINT_LOAD_METRICS ->
          null;
      case CONTENT_LENGTH, TRANSFER_ENCODING, HOST ->
          "Connection lists a field that frames or routes the message";
      case OTHER,
          EXPECT,
          VIA,
          X_FORWARDED_FOR,
          X_HERDLAB_CAUSE,
          X_HERDLAB_PROXY,
          X_HERDLAB_PROXY_STAMPS,
          X_HERDLAB_ATTEMPTS,
          X_HERDLAB_TIMEOUT -> {
        listsNames = true;
        yield null;
      }
    };
  }

  /// The declared length, or -1.
  long contentLength() {
    return contentLength;
  }

  boolean chunked() {
    return chunked;
  }

  /// Whether the connection persists after this message, by version and Connection alone.
  boolean keepAlive(int minorVersion) {
    return !close && (minorVersion == 1 || keepAlive);
  }

  /// Whether Connection lists names beside those that are removed anyway.
  boolean listsNames() {
    return listsNames;
  }

  boolean expectsContinue() {
    return expectsContinue;
  }
}
