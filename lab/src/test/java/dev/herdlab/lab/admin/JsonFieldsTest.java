package dev.herdlab.lab.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How strictly the bodies of commands are read.
final class JsonFieldsTest {
  private static JsonFields fields(String json) {
    return JsonFields.read(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void fieldsAreReadByTheirTypes() {
    JsonFields fields =
        fields(
            "{\"t\":\"x\",\"n\":-3,\"d\":1.5,\"ts\":[\"a\",\"b\"],\"ds\":[1,0.5],\"ws\":[7],\"e\":\"\",\"f\":true}");

    assertThat(fields.text("t")).isEqualTo("x");
    assertThat(fields.whole("n", -3, 9)).isEqualTo(-3);
    assertThat(fields.whole("m", 0, 9, 4)).isEqualTo(4);
    assertThat(fields.positive("d")).isEqualTo(1.5);
    assertThat(fields.texts("ts")).containsExactly("a", "b");
    assertThat(fields.positives("ds")).containsExactly(1.0, 0.5);
    assertThat(fields.wholes("ws", 7, 7)).containsExactly(7);
    assertThat(fields.anyText("e", 0)).isEmpty();
    assertThat(fields.flag("f")).isTrue();
    assertThat(fields.flag("z")).isFalse();
    assertThat(fields.findText("z")).isEmpty();
    assertThat(fields.isText("t")).isTrue();
    assertThat(fields.isText("ts")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|body: nothing (expected: a JSON object)",
        "[1]|body: [1] (expected: a JSON object)",
        "{|body: Unexpected end-of-input",
        "{} {}|body: Trailing token",
        "{\"a\":1,\"a\":2}|body: Duplicate",
      })
  void whatIsNoObjectIsRefused(String json, String message) {
    assertThatThrownBy(() -> fields(json))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .startsWith(message);
  }

  private static void assertRefused(String json, Consumer<JsonFields> reader, String message) {
    assertThatThrownBy(() -> reader.accept(fields(json)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void whatIsWrongIsNamedWithItsValueAndWhatWasExpected() {
    assertRefused("{}", f -> f.text("a"), "a: nothing (expected: text)");
    assertRefused("{\"a\":5}", f -> f.text("a"), "a: 5 (expected: text)");
    assertRefused("{\"a\":null}", f -> f.text("a"), "a: null (expected: text)");
    assertRefused("{\"a\":\"\"}", f -> f.text("a"), "a:  (expected: text)");
    assertRefused(
        "{\"a\":1.5}", f -> f.whole("a", 0, 3), "a: 1.5 (expected: a whole number from 0 to 3)");
    assertRefused(
        "{\"a\":4}", f -> f.whole("a", 0, 3), "a: 4 (expected: a whole number from 0 to 3)");
    assertRefused(
        "{\"a\":99999999999999999999}",
        f -> f.whole("a", 0, Long.MAX_VALUE),
        "a: 99999999999999999999 (expected: a whole number of 0 or more)");
    assertRefused("{\"a\":0}", f -> f.positive("a"), "a: 0 (expected: a number above 0)");
    assertRefused("{\"a\":\"1\"}", f -> f.positive("a"), "a: 1 (expected: a number above 0)");
    assertRefused("{\"a\":1}", f -> f.flag("a"), "a: 1 (expected: true or false)");
    assertRefused("{\"a\":[]}", f -> f.texts("a"), "a: [] (expected: a list of texts)");
    assertRefused("{\"a\":[\"x\",1]}", f -> f.texts("a"), "a: 1 (expected: a list of texts)");
    assertRefused(
        "{\"a\":[0]}", f -> f.positives("a"), "a: 0 (expected: a list of numbers above 0)");
    assertRefused(
        "{\"a\":[0]}",
        f -> f.wholes("a", 1, 2),
        "a: 0 (expected: a list of whole numbers from 1 to 2)");
    assertRefused(
        "{\"a\":\"xx\"}", f -> f.anyText("a", 1), "a: xx (expected: text of at most 1 characters)");
    assertRefused("{\"a\":1}", f -> f.only("b", "c"), "a: unknown field (expected: b, c)");
  }
}
