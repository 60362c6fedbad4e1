package dev.herdlab.balancer;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/// A user's jar, compiled here as a user would compile it: against the balancer's classes alone.
final class PluginJar {
  static final String SERVICE = "META-INF/services/dev.herdlab.balancer.Algorithm";

  private final Path folder;
  private final Path classes;

  PluginJar(Path folder) {
    this.folder = folder;
    this.classes = folder.resolve("classes");
  }

  /// The jar of `examples/plugin`.
  static Path ofExample(Path folder) throws IOException, URISyntaxException {
    Path example = Path.of("..", "examples", "plugin");
    PluginJar jar = new PluginJar(folder);
    jar.compile(example.resolve("src/example/Threshold.java"));
    jar.file(SERVICE, Files.readString(example.resolve(SERVICE)));
    return jar.pack("threshold.jar");
  }

  /// A jar whose one class `name` has this source, declared as a service.
  static Path of(Path folder, String name, String source) throws IOException, URISyntaxException {
    PluginJar jar = new PluginJar(folder);
    Path file = Files.writeString(folder.resolve(name + ".java"), source);
    jar.compile(file);
    jar.file(SERVICE, name);
    return jar.pack(name + ".jar");
  }

  void compile(Path source) throws IOException, URISyntaxException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assumeTrue(compiler != null, "this Java has no compiler");
    Path balancer =
        Path.of(Algorithm.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> arguments =
        List.of("-cp", balancer.toString(), "-d", classes.toString(), source.toString());
    int failed = compiler.run(null, null, null, arguments.toArray(new String[0]));
    if (failed != 0) {
      throw new IllegalStateException(source + " does not compile");
    }
  }

  void file(String name, String text) throws IOException {
    Path file = classes.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  Path pack(String name) throws IOException {
    Path jar = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      for (Path file : files()) {
        entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, entries);
        entries.closeEntry();
      }
    }
    return jar;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> walk = Files.walk(classes)) {
      return walk.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
