package dev.herdlab.balancer;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.zip.ZipException;

/// Where users' algorithms come from: jars that name them in `META-INF/services`. Owner thread:
/// any.
final class Plugins {
  private static final String SERVICE = "META-INF/services/" + Algorithm.class.getName();
  private static final ClassLoader OURS = Algorithm.class.getClassLoader();

  private Plugins() {}

  /// Those of every jar on the class path.
  static List<Algorithm> onClassPath() {
    return load("on the class path", OURS);
  }

  /// Those of one jar, by a class loader of its own that is never closed: classes are loaded when
  /// needed.
  ///
  /// @throws PluginException if it is no jar, or declares no algorithm or one that can't be loaded
  static List<Algorithm> in(Path jar) {
    checkDeclares(jar);
    try {
      return load(jar.toString(), new URLClassLoader(new URL[] {jar.toUri().toURL()}, OURS));
    } catch (MalformedURLException e) {
      throw new PluginException(jar.toString(), e, "a path to a jar");
    }
  }

  private static void checkDeclares(Path jar) {
    if (!Files.isRegularFile(jar)) {
      String found = Files.exists(jar) ? "not a file" : "no such file";
      throw new PluginException(jar.toString(), found, "a jar");
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      if (file.getEntry(SERVICE) == null) {
        throw new PluginException(
            jar.toString(), "declares no algorithm", "names of classes in " + SERVICE);
      }
    } catch (ZipException e) {
      throw new PluginException(jar.toString(), "not a jar", "a jar");
    } catch (IOException e) {
      throw new PluginException(jar.toString(), e, "a jar that can be read");
    }
  }

  private static List<Algorithm> load(String origin, ClassLoader loader) {
    try {
      List<Algorithm> found =
          ServiceLoader.load(Algorithm.class, loader).stream()
              .filter(
                  provider ->
                      Objects.equals(provider.type().getClassLoader(), loader)) // not the parent's
              .map(ServiceLoader.Provider::get)
              .toList();
      found.forEach(Algorithm::description); // users' code: one that throws is refused here
      return found;
    } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
      throw new PluginException(
          origin, e, "public algorithms with a public constructor without parameters");
    }
  }
}
