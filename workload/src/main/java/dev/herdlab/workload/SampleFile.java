package dev.herdlab.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/// A file of recorded numbers, as parameter `file` of a spec names it: one a line, of any unit;
/// `#` begins a comment, blank lines are skipped, and at most [#MAX_SAMPLES] are read.
final class SampleFile {
  /// Samples that a file may hold: 80 MB of them.
  static final int MAX_SAMPLES = 10_000_000;

  private SampleFile() {}

  /// The file's numbers in their order, scaled to a mean.
  ///
  /// @throws IllegalArgumentException with one line, which names the file's line if it is one's
  static double[] read(Spec spec, double mean) {
    double[] samples;
    try {
      samples = samples(Path.of(spec.text("file")));
    } catch (IOException | InvalidPathException e) {
      throw spec.error("file", "a readable file of samples; " + reason(e));
    }
    double sum = 0;
    for (double sample : samples) {
      sum += sample;
    }
    if (!(sum > 0) || Double.isInfinite(sum)) {
      throw spec.error("file", "samples with a mean > 0");
    }
    double scale = mean * samples.length / sum;
    for (int i = 0; i < samples.length; i++) {
      samples[i] *= scale;
    }
    return samples;
  }

  private static String reason(Exception e) {
    return switch (e) {
      case NoSuchFileException _ -> "there is no such file";
      case MalformedInputException _ -> "it is not UTF-8";
      default -> String.valueOf(e.getMessage());
    };
  }

  private static double[] samples(Path file) throws IOException {
    double[] samples = new double[1024];
    int count = 0;
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      int number = 0;
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        number++;
        int hash = line.indexOf('#');
        String text = (hash < 0 ? line : line.substring(0, hash)).strip();
        if (text.isEmpty()) {
          continue;
        }
        if (count == MAX_SAMPLES) {
          throw new IllegalArgumentException(
              file + ":" + number + ": one more sample (expected: at most " + MAX_SAMPLES + ")");
        }
        if (count == samples.length) {
          samples = Arrays.copyOf(samples, 2 * count);
        }
        samples[count++] = sample(file, number, text);
      }
    }
    return Arrays.copyOf(samples, count);
  }

  private static double sample(Path file, int line, String text) {
    double sample = DecimalText.read(text);
    if (!(sample >= 0) || Double.isInfinite(sample)) {
      throw new IllegalArgumentException(
          file + ":" + line + ": " + text + " (expected: one number >= 0)");
    }
    return sample;
  }
}
