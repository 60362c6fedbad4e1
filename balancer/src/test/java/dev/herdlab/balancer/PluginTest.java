package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example of a user's algorithm, from its source to its picks: it keeps the contract like a
/// built-in one. And what is said of a jar that cannot be used.
final class PluginTest extends AlgorithmContract {
  private static final String USABLE =
      "public algorithms with a public constructor without parameters";

  private Algorithms algorithms = Algorithms.builtIn();

  @BeforeAll
  void compileTheExample(@TempDir Path folder) throws Exception {
    algorithms = Algorithms.withPlugins(List.of(PluginJar.ofExample(folder)));
  }

  @Override
  protected Algorithms algorithms() {
    return algorithms;
  }

  @Override
  protected Stream<String> specs() {
    return Stream.of("threshold", "threshold(limit=3,tries=8)");
  }

  @Test
  void standsInTheRegistryBesideTheBuiltInOnes() {
    List<Algorithm> expected = new ArrayList<>(Algorithms.builtIn().all());
    assertThat(algorithms.all()).hasSize(expected.size() + 1).containsAll(expected);
    assertThat(algorithms.all())
        .extracting(algorithm -> algorithm.description().name())
        .contains("threshold")
        .isSorted();
  }

  @Test
  void avoidsWhatIsFull() {
    OneProxy proxy =
        new OneProxy(BackendSet.ofSize(2))
            .install(algorithms, "threshold(tries=64)", "local", SeededRandom.of(3, "coins", 0));
    Picked first = proxy.pick();

    assertThat(proxy.pick().index()).isNotEqualTo(first.index()); // 64 misses: one in 2^63
  }

  @Test
  void itsParametersAreCheckedLikeBuiltInOnes() {
    assertThatThrownBy(() -> algorithms.parse("threshold(limit=0)", 1))
        .hasMessage(
            "algorithm 'threshold(limit=0)', column 17: limit=0 (expected: a whole number from 1 to"
                + " 1000000)");
  }

  @Test
  void missingJarIsRefused(@TempDir Path folder) {
    Path jar = folder.resolve("none.jar");

    refused(jar, "no such file", "a jar");
  }

  @Test
  void folderIsRefused(@TempDir Path folder) {
    refused(folder, "not a file", "a jar");
  }

  @Test
  void fileThatIsNoJarIsRefused(@TempDir Path folder) throws Exception {
    Path jar = Files.writeString(folder.resolve("text.jar"), "not a jar");

    refused(jar, "not a jar", "a jar");
  }

  @Test
  void jarWithoutAnAlgorithmIsRefused(@TempDir Path folder) throws Exception {
    PluginJar jar = new PluginJar(folder);
    jar.file("readme.txt", "nothing here");

    refused(
        jar.pack("empty.jar"), "declares no algorithm", "names of classes in " + PluginJar.SERVICE);
  }

  @Test
  void jarThatNamesAMissingClassIsRefused(@TempDir Path folder) throws Exception {
    PluginJar jar = new PluginJar(folder);
    jar.file(PluginJar.SERVICE, "example.Missing");

    unusable(jar.pack("missing.jar"), "example.Missing");
  }

  @Test
  void classFileThatIsNoneIsRefused(@TempDir Path folder) throws Exception {
    PluginJar jar = new PluginJar(folder);
    jar.file(PluginJar.SERVICE, "Junk");
    jar.file("Junk.class", "no byte code");

    unusable(jar.pack("junk.jar"), "Junk");
  }

  @Test
  void classThatIsNoAlgorithmIsRefused(@TempDir Path folder) throws Exception {
    unusable(PluginJar.of(folder, "Plain", "public class Plain {}"), "Plain");
  }

  @Test
  void algorithmThatCannotBeMadeIsRefusedWithItsReason(@TempDir Path folder) throws Exception {
    String constructor = "public Failing() { throw new RuntimeException(\"no\\nway\"); }";

    unusable(
        PluginJar.of(folder, "Failing", algorithm("Failing", "fine", constructor)),
        "java.lang.RuntimeException: no way");
  }

  @Test
  void algorithmWithAnImpossibleNameIsRefused(@TempDir Path folder) throws Exception {
    refused(
        PluginJar.of(folder, "Named", algorithm("Named", "My Name", "")),
        "algorithm name: 'My Name' (expected: a-z, 0-9 and -)",
        USABLE);
  }

  @Test
  void takenNameIsRefused(@TempDir Path folder) throws Exception {
    refused(
        PluginJar.of(folder, "Again", algorithm("Again", "p2c", "")),
        "algorithm p2c exists already",
        "a name of its own");
  }

  private static void refused(Path jar, String found, String expected) {
    assertThatThrownBy(() -> Algorithms.withPlugins(List.of(jar)))
        .isInstanceOf(PluginException.class)
        .hasMessage("plugin %s: %s (expected: %s)", jar, found, expected);
  }

  /// What Java says of a class differs from version to version; it must name it, on one line.
  private static void unusable(Path jar, String named) {
    assertThatThrownBy(() -> Algorithms.withPlugins(List.of(jar)))
        .isInstanceOf(PluginException.class)
        .hasMessageStartingWith("plugin " + jar + ": ")
        .hasMessageContaining(named)
        .hasMessageEndingWith(" (expected: " + USABLE + ")")
        .hasMessageNotContaining("\n");
  }

  /// Source of an algorithm that never picks.
  private static String algorithm(String type, String name, String constructor) {
    return """
        import dev.herdlab.balancer.*;
        import java.util.List;

        public class %s implements Algorithm {
          %s

          @Override
          public Description description() {
            return new Description("%s", "", List.of(), "O(1)", "nothing", List.of(), List.of());
          }

          @Override
          public LoadBalancer create(Parameters p, BackendSet b, View v, Ports ports) {
            return LoadBalancer.NONE;
          }
        }
        """
        .formatted(type, constructor, name);
  }
}
