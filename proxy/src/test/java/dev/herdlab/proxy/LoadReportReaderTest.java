package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.BackendSignal.LoadReport;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadReportReaderTest {
  private final LoadReportReader reader = new LoadReportReader();

  private @Nullable LoadReport read(String text) {
    // Within other bytes, as in a head.
    byte[] octets = ("1" + text + "2").getBytes(StandardCharsets.ISO_8859_1);
    return reader.read("b7", octets, 1, octets.length - 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TEXT cpu_utilization=0.3,rps_fractional=10.5,eps=2,named_metrics.in_flight=7"
            + "|7|0.3|10.5|2",
        "TEXT cpu_utilization:0.7,application_utilization:0.8,mem_utilization:0.9,eps:2|0|0.8|0|2",
        "TEXT  eps = 1e2 , , named_metrics.in_flight=2.6|3|0|0|100",
        "TEXT application_utilization=0,cpu_utilization=0.25|0|0.25|0|0",
        "TEXT named_metrics.other=x,utilization.total=-5|0|0|0|0",
        "TEXT named_metrics.in_flight=1e300|2147483647|0|0|0",
        "JSON {\"cpu_utilization\": 0.3, \"named_metrics\": {\"in_flight\": 7, \"x\": 1}}|7|0.3|0|0",
        "JSON {\"cpuUtilization\":\"0.3\",\"rpsFractional\":10.5,\"namedMetrics\":{}}|0|0.3|10.5|0",
        "JSON { }|0|0|0|0",
        "JSON {\"a\":[1,{\"eps\":\"}\\\"\"},[]],\"b\":null,\"eps\":2,\"c\":{\"d\":true}}|0|0|0|2",
        "JSON {\"in_flight\":7,\"named_metrics\":{\"eps\":9}}|0|0|0|0",
      })
  void readsBothForms(String text, int inFlight, double utilisation, double rate, double errors) {
    assertThat(read(text)).isEqualTo(new LoadReport("b7", inFlight, utilisation, rate, errors));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "TEXT",
        "text eps=1",
        "BIN CQAAAAAAAPA/",
        "cpu_utilization=0.3",
        "TEXT eps",
        "TEXT eps=",
        "TEXT eps=x",
        "TEXT eps=NaN",
        "TEXT eps=1d",
        "TEXT eps=Infinity",
        "TEXT eps=1e999",
        "TEXT eps=-1",
        "TEXT eps=\"1\"",
        "TEXT eps=1,eps=1",
        "JSON",
        "JSON ",
        "JSON [1]",
        "JSON {",
        "JSON {}}",
        "JSON {\"eps\"}",
        "JSON {\"eps\":}",
        "JSON {\"eps\":-1}",
        "JSON {\"eps\":{}}",
        "JSON {\"eps\":1,}",
        "JSON {\"eps\":1,\"eps\":1}",
        "JSON {\"eps\":1 \"x\":1}",
        "JSON {\"a\":\"\\",
        "JSON {\"named_metrics\":{\"in_flight\":\"many\"}}",
        "JSON {\"a\":[[[[[[[[[[[[1]]]]]]]]]]]]}",
      })
  void refusesWhatIsNoReport(String text) {
    assertThat(read(text)).isNull();
  }
}
