package dev.herdlab.benchmarks;

import dev.herdlab.transport.HeadLimits;
import dev.herdlab.transport.HeadScanner;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The scan of one head that is all there, in a direct buffer as the sockets deliver it.
///
/// Not in it: the system calls, which cost many times as much, and what is made of the head.
///
/// Owner thread: JMH's, one.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HeadScannerBenchmark {
  private static final String NINE_HEADERS =
      """
      User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
      Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
      Accept-Language: en-GB,en;q=0.8,de;q=0.5
      Accept-Encoding: gzip, deflate, br
      Referer: http://example.org/catalogue/page?item=42
      Cookie: session=0123456789abcdef0123456789abcdef; theme=light
      Cache-Control: no-cache
      X-Request-Id: 7f3c1e52-5d1c-4f0b-9a51-2b6f0c9f4e11
      X-Forwarded-For: 192.0.2.17
      """;

  /// Which head: 1 field, 10 fields, or a response's 6.
  public enum Message {
    /// As wrk sends it.
    REQUEST(HeadScanner.Kind.REQUEST, "GET / HTTP/1.1\nHost: 127.0.0.1:18080\n"),
    /// With nine more, as a browser sends it.
    REQUEST_WITH_NINE_MORE(
        HeadScanner.Kind.REQUEST, "GET / HTTP/1.1\nHost: 127.0.0.1:18080\n" + NINE_HEADERS),
    /// As the stub backends send it.
    RESPONSE(
        HeadScanner.Kind.RESPONSE,
        """
        HTTP/1.1 200 OK
        content-type: text/plain
        content-length: 2
        x-herdlab-backend: b7
        x-herdlab-backend-stamps: 123456789012,123456789345,123466789345,123466789999
        x-herdlab-in-flight: 3
        Server-Timing: wait;dur=0.000, service;dur=10.000
        """);

    private final HeadScanner.Kind kind;
    private final String lines;

    Message(HeadScanner.Kind kind, String lines) {
      this.kind = kind;
      this.lines = lines;
    }
  }

  @Param Message message = Message.REQUEST;

  private HeadScanner scanner = new HeadScanner(HeadScanner.Kind.REQUEST, HeadLimits.DEFAULT);
  private ByteBuf in = PooledByteBufAllocator.DEFAULT.directBuffer();

  /// Writes the head.
  @Setup
  public void write() {
    scanner = new HeadScanner(message.kind, HeadLimits.DEFAULT);
    in.writeCharSequence(message.lines.replace("\n", "\r\n") + "\r\n", StandardCharsets.US_ASCII);
    if (scan() != HeadScanner.Result.COMPLETE) {
      throw new IllegalStateException(scanner.refusal());
    }
  }

  /// Gives the buffer back.
  @TearDown
  public void release() {
    in.release();
  }

  /// One head.
  @Benchmark
  public HeadScanner.Result scan() {
    scanner.reset();
    in.readerIndex(0);
    return scanner.scan(in);
  }
}
