package dev.herdlab.lab.config;

import dev.herdlab.simulator.Change;
import dev.herdlab.workload.BackendFault;
import dev.herdlab.workload.DecimalText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// One entry of the key `events`: what is done to the system during a run, when, and how often.
///
/// | text | what happens |
/// |---|---|
/// | `at=100 backend=b3 fault=hang` | it fails so, until another `fault`; `none`: it works |
/// | `at=100 backend=b3 speed=0.5` | it is of that speed |
/// | `at=100 backend=b3 weight=2` | it has that weight |
/// | `at=100 backend=b3 member=leave` | it is no longer picked; `join`: it is again |
/// | `at=100 proxies=restart` | all balancers begin anew |
///
/// With `every=50` it happens again each 50 units. In YAML the same may be a map, `{at: 100,
/// backend: b3, fault: hang}`. Owner thread: any (immutable).
///
/// @param text as above
/// @param at units from the trace's start, 0 or more
/// @param every units from each time to the next, above 0; 0: once
/// @param change what is done
public record PlannedEvent(String text, double at, double every, Change change) {
  static final String EXPECTED =
      "events such as at=100 backend=b3 fault=hang, with fault, speed, weight or member of a backend,"
          + " or at=100 proxies=restart; every=50 repeats; or none";

  private static final List<String> WHAT = List.of("fault", "speed", "weight", "member", "proxies");
  private static final List<String> NAMES =
      List.of("at", "every", "backend", "fault", "speed", "weight", "member", "proxies");
  private static final String FAULTS = "none, refuse, hang, close or status=500 to 599";

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  // Slower ones would keep a queue beyond this century, which a station refuses.
  private static final double LEAST_SPEED = 1e-6;
  private static final double MOST_SPEED = 1e6;
  private static final int MAX_WEIGHT = 65_535;
  private static final int FIRST_ERROR = 500;

  /// Reads one.
  ///
  /// @throws IllegalArgumentException in one line, with the field that is wrong
  static PlannedEvent parse(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String part : BLANKS.split(text.strip(), -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      if (equals < 0 || !NAMES.contains(name)) {
        throw wrong(text, part, "a field such as at=100: one of " + String.join(", ", NAMES));
      }
      if (fields.put(name, part.substring(equals + 1)) != null) {
        throw wrong(text, name + " twice", "once");
      }
    }
    List<String> what = new ArrayList<>(fields.keySet());
    what.retainAll(WHAT);
    if (what.size() != 1) {
      throw wrong(
          text,
          what.isEmpty() ? "nothing that happens" : String.join(" and ", what),
          "one of " + String.join(", ", WHAT));
    }
    double at = number(fields, "at", 0).filter(it -> it >= 0).orElse(-1.0);
    double every = number(fields, "every", 0).orElse(0.0);
    if (at < 0 || !fields.containsKey("at")) {
      throw wrong(text, field(fields, "at"), "at=UNITS, 0 or more, from the trace's start");
    }
    if (fields.containsKey("every") && !(every > 0)) {
      throw wrong(text, field(fields, "every"), "every=UNITS, above 0");
    }
    return new PlannedEvent(
        String.join(" ", fields.entrySet().stream().map(Object::toString).toList()),
        at,
        every,
        change(text, fields, what.getFirst()));
  }

  private static Change change(String text, Map<String, String> fields, String what) {
    String value = fields.getOrDefault(what, "");
    if (what.equals("proxies")) {
      if (!value.equals("restart") || fields.containsKey("backend")) {
        throw wrong(
            text, field(fields, what), "proxies=restart, of all proxies, without a backend");
      }
      return new Change.Restart();
    }
    int backend = backend(text, fields);
    return switch (what) {
      case "fault" -> new Change.Fault(backend, fault(text, fields));
      case "speed" ->
          new Change.Speed(
              backend,
              number(fields, what, LEAST_SPEED)
                  .filter(speed -> speed <= MOST_SPEED)
                  .orElseThrow(() -> wrong(text, field(fields, what), "1e-6 to 1e6")));
      case "weight" ->
          new Change.Weight(
              backend,
              number(fields, what, 1)
                  .filter(weight -> weight <= MAX_WEIGHT && weight == Math.rint(weight))
                  .orElseThrow(
                      () -> wrong(text, field(fields, what), "a whole number, 1 to " + MAX_WEIGHT))
                  .intValue());
      case "member" ->
          switch (value) {
            case "leave" -> new Change.Leave(backend);
            case "join" -> new Change.Join(backend);
            default -> throw wrong(text, field(fields, what), "member=leave or member=join");
          };
      default -> throw new IllegalArgumentException("event: " + what + " (expected: of WHAT)");
    };
  }

  private static BackendFault fault(String text, Map<String, String> fields) {
    try {
      BackendFault fault = BackendFault.parse(fields.getOrDefault("fault", ""));
      if (fault.kind() != BackendFault.Kind.STATUS || fault.status() >= FIRST_ERROR) {
        return fault;
      }
    } catch (IllegalArgumentException e) {
      // As below.
    }
    throw wrong(text, field(fields, "fault"), FAULTS);
  }

  private static int backend(String text, Map<String, String> fields) {
    String name = fields.getOrDefault("backend", "");
    if (!name.matches("b(0|[1-9][0-9]{0,4})")) {
      throw wrong(text, field(fields, "backend"), "backend=b0, b1, ...");
    }
    return Integer.parseInt(name.substring(1));
  }

  private static Optional<Double> number(Map<String, String> fields, String name, double least) {
    if (!fields.containsKey(name)) {
      return Optional.empty();
    }
    double value = DecimalText.read(fields.getOrDefault(name, "").replace("_", ""));
    return value >= least && value < Double.POSITIVE_INFINITY
        ? Optional.of(value)
        : Optional.empty();
  }

  private static String field(Map<String, String> fields, String name) {
    return fields.containsKey(name) ? name + "=" + fields.get(name) : "no " + name;
  }

  private static IllegalArgumentException wrong(String text, String what, String expected) {
    return new IllegalArgumentException(
        "event '" + text + "': " + what + " (expected: " + expected + ")");
  }

  @Override
  public String toString() {
    return text;
  }
}
