package dev.herdlab.transport;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import java.util.Optional;

/// Asks the Linux kernel how it schedules the calling thread, through the system calls themselves:
/// the C library has no function for most of them.
///
/// Cost: some microseconds, once a thread. Owner thread: the one that is to be scheduled.
/// Source: prctl(2) PR_SET_TIMERSLACK; sched(7); sched_setattr(2); Linux 6.12's custom slices under
/// EEVDF.
final class KernelScheduling {
  private static final int PR_SET_TIMERSLACK = 29;
  private static final long TIMER_SLACK_NANOS = 1;
  private static final int SCHED_FIFO = 1;
  // In the middle of the range, below the kernel's own threads at 99.
  private static final int PRIORITY = 50;
  // The shortest that the kernel takes: a thread with a short slice has an early virtual deadline,
  // so it is run soon after it wakes.
  private static final long SLICE_NANOS = 100_000;
  private static final int EPERM = 1;

  // struct sched_attr, first published size.
  private static final int ATTR_BYTES = 48;
  private static final int ATTR_POLICY = 4;
  private static final int ATTR_FLAGS = 8;
  private static final int ATTR_PRIORITY = 20;
  private static final int ATTR_RUNTIME = 24;

  private final MethodHandle call;
  private final Numbers numbers;

  private record Numbers(long prctl, long setAttr, long getAttr) {
    static Optional<Numbers> ofThisMachine() {
      if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux")) {
        return Optional.empty();
      }
      return switch (System.getProperty("os.arch", "")) {
        case "amd64" -> Optional.of(new Numbers(157, 314, 315));
        case "aarch64", "riscv64" -> Optional.of(new Numbers(167, 274, 275));
        default -> Optional.empty();
      };
    }
  }

  private KernelScheduling(MethodHandle call, Numbers numbers) {
    this.call = call;
    this.numbers = numbers;
  }

  /// Schedules the calling thread.
  ///
  /// @return what was really granted
  /// @throws SchedulingRefusedException if real-time scheduling was asked for and is not to be had
  static Scheduling.Granted apply(Scheduling wanted) throws SchedulingRefusedException {
    Optional<KernelScheduling> kernel = open();
    if (kernel.isEmpty()) {
      if (wanted == Scheduling.REAL_TIME) {
        throw new SchedulingRefusedException(
            "real-time priority: not known on this system (expected: Linux on x86-64, AArch64 or RISC-V)");
      }
      return new Scheduling.Granted(Scheduling.DEFAULT, -1, -1);
    }
    return kernel.get().applyHere(wanted);
  }

  @SuppressWarnings("restricted") // The system calls are what this class is for.
  private static Optional<KernelScheduling> open() {
    Linker linker = Linker.nativeLinker();
    return Numbers.ofThisMachine()
        .flatMap(
            numbers ->
                linker
                    .defaultLookup()
                    .find("syscall")
                    .map(
                        address ->
                            new KernelScheduling(
                                linker.downcallHandle(
                                    address,
                                    FunctionDescriptor.of(
                                        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                                        JAVA_LONG, JAVA_LONG),
                                    Linker.Option.firstVariadicArg(1),
                                    Linker.Option.captureCallState("errno")),
                                numbers)));
  }

  private Scheduling.Granted applyHere(Scheduling wanted) throws SchedulingRefusedException {
    long slack =
        system(numbers.prctl, PR_SET_TIMERSLACK, TIMER_SLACK_NANOS, 0, 0) == 0
            ? TIMER_SLACK_NANOS
            : -1;
    return switch (wanted) {
      case REAL_TIME -> {
        realTime();
        yield new Scheduling.Granted(Scheduling.REAL_TIME, slack, -1);
      }
      case DEFAULT -> new Scheduling.Granted(Scheduling.DEFAULT, slack, shortSlice());
    };
  }

  private void realTime() throws SchedulingRefusedException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = arena.allocate(ATTR_BYTES, Long.BYTES);
      attr.set(JAVA_INT, 0, ATTR_BYTES);
      attr.set(JAVA_INT, ATTR_POLICY, SCHED_FIFO);
      // As a flag of sched_attr, reset-on-fork is the lowest bit.
      attr.set(JAVA_LONG, ATTR_FLAGS, 1);
      attr.set(JAVA_INT, ATTR_PRIORITY, PRIORITY);
      long errno = system(numbers.setAttr, 0, attr.address(), 0, 0);
      if (errno != 0) {
        throw new SchedulingRefusedException(
            "real-time priority: refused by the system (expected: "
                + (errno == EPERM
                    ? "CAP_SYS_NICE, or a limit of real-time priority of at least "
                        + PRIORITY
                        + ", as `ulimit -r` shows it"
                    : "SCHED_FIFO " + PRIORITY + " to be granted; error " + errno)
                + ")");
      }
    }
  }

  // Before Linux 6.12 the kernel accepts the request and ignores it, hence the second look.
  private long shortSlice() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = arena.allocate(ATTR_BYTES, Long.BYTES);
      if (system(numbers.getAttr, 0, attr.address(), ATTR_BYTES, 0) != 0) {
        return -1;
      }
      attr.set(JAVA_LONG, ATTR_RUNTIME, SLICE_NANOS);
      if (system(numbers.setAttr, 0, attr.address(), 0, 0) != 0
          || system(numbers.getAttr, 0, attr.address(), ATTR_BYTES, 0) != 0) {
        return -1;
      }
      return attr.get(JAVA_LONG, ATTR_RUNTIME) == SLICE_NANOS ? SLICE_NANOS : -1;
    }
  }

  /// Calls the kernel.
  ///
  /// @return 0, or the error's number
  private long system(long number, long a, long b, long c, long d) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      long result = (long) call.invokeExact(state, number, a, b, c, d, 0L);
      VarHandle errno =
          Linker.Option.captureStateLayout()
              .varHandle(MemoryLayout.PathElement.groupElement("errno"));
      return result == 0 ? 0 : (int) errno.get(state, 0L);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
