package dev.herdlab.workload;

/// The law of a file's samples: one of them at random, with replacement, scaled to a mean.
///
/// See [SampleFile]. Owner thread: any (immutable).
final class Empirical implements ServiceLaw {
  private final String file;
  private final double mean;
  private final double[] samplesUnits;

  private Empirical(String file, double mean, double[] samplesUnits) {
    this.file = file;
    this.mean = mean;
    this.samplesUnits = samplesUnits;
  }

  static Empirical read(Spec spec, double mean) {
    return new Empirical(spec.text("file"), mean, SampleFile.read(spec, mean));
  }

  @Override
  public double sampleUnits(RandomStream random) {
    return samplesUnits[random.below(samplesUnits.length)];
  }

  @Override
  public String spec() {
    return "empirical(file=" + file + ",mean=" + mean + ")";
  }

  @Override
  public double meanUnits() {
    return mean;
  }

  @Override
  public double secondMomentUnits() {
    double sum = 0;
    for (double sample : samplesUnits) {
      sum += sample * sample;
    }
    return sum / samplesUnits.length;
  }
}
