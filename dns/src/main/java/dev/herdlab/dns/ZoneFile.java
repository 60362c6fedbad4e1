package dev.herdlab.dns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Master;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/// A zone file (RFC 1035, section 5) as read by dnsjava: records with the lines that they stand in.
///
/// `$ORIGIN`, `$TTL`, `$INCLUDE` and `$GENERATE` work. Owner thread: any (immutable).
///
/// @param file for messages
/// @param records in the file's order, all of them in the zone and of the class IN
record ZoneFile(Path file, List<Located> records) {
  /// The most of one file; a guess at what the heap holds with room to spare.
  static final int MAX_RECORDS = 200_000;

  private static final long MAX_BYTES = 16 << 20;
  private static final String A_RECORD = "a record such as www 60 IN A 192.0.2.1, or a directive";
  private static final Pattern PLACE = Pattern.compile("(?s)(.+?):(\\d+): (.*)");

  /// A record and the line where it ends; for one of an included file, the `$INCLUDE`'s line.
  record Located(Record record, int line) {}

  ZoneFile {
    records = List.copyOf(records);
  }

  /// Reads a file.
  ///
  /// @throws IllegalArgumentException one line: `file:line: what (expected: ...)`
  static ZoneFile read(Path file, Name origin) {
    ZoneText text = new ZoneText(lines(file), file.toAbsolutePath());
    List<Located> records = new ArrayList<>();
    try (Master master = new Master(text, origin)) {
      for (Record record = master.nextRecord(); record != null; record = master.nextRecord()) {
        if (record.getDClass() != DClass.IN) {
          throw bad(file, text.line(), "class " + DClass.string(record.getDClass()), "IN");
        }
        if (!record.getName().subdomain(origin)) {
          throw bad(file, text.line(), record.getName().toString(), "a name in " + origin);
        }
        if (records.size() == MAX_RECORDS) {
          throw bad(file, text.line(), "one more record", "at most " + MAX_RECORDS);
        }
        records.add(new Located(record, text.line()));
      }
    } catch (IOException e) {
      throw unreadable(file, text.line(), String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      throw bad(file, text.line(), String.valueOf(e.getMessage()), A_RECORD);
    }
    return new ZoneFile(file, records);
  }

  /// The error for something that stands in a line of this file.
  IllegalArgumentException error(int line, String found, String expected) {
    return bad(file, line, found, expected);
  }

  private static IllegalArgumentException bad(Path file, int line, String found, String expected) {
    return new IllegalArgumentException(
        file + ":" + line + ": " + found + " (expected: " + expected + ")");
  }

  /// dnsjava names the stream `<none>`, where its own line may be the next one; an included file by
  /// its last name.
  private static IllegalArgumentException unreadable(Path file, int line, String message) {
    Matcher place = PLACE.matcher(message);
    if (!place.matches()) {
      return bad(file, line, message, A_RECORD);
    }
    String included = place.group(1);
    String where =
        included.equals("<none>") ? "" : "in " + included + ", line " + place.group(2) + ": ";
    return bad(file, line, where + place.group(3), A_RECORD);
  }

  private static List<String> lines(Path file) {
    String expected = " (expected: a readable zone file)";
    try {
      if (Files.isDirectory(file)) {
        throw new IllegalArgumentException(file + ": a folder" + expected);
      }
      if (!Files.exists(file)) {
        throw new IllegalArgumentException(file + ": no such file" + expected);
      }
      if (Files.size(file) > MAX_BYTES) {
        throw new IllegalArgumentException(
            file + ": " + Files.size(file) + " bytes (expected: at most " + MAX_BYTES + ")");
      }
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": cannot be read" + expected, e);
    }
  }
}
