package dev.herdlab.lab;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.have;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/// The layers, and the habits that a machine can check.
@AnalyzeClasses(packages = "dev.herdlab", importOptions = ImportOption.DoNotIncludeTests.class)
final class LayeringTest {
  @ArchTest
  static final ArchRule balancerKnowsTheJavaBaseAlone =
      classes()
          .that()
          .resideInAPackage("dev.herdlab.balancer..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("dev.herdlab.balancer..", "java..", "org.jspecify.."));

  @ArchTest
  static final ArchRule workloadKnowsTheJavaBaseAlone =
      classes()
          .that()
          .resideInAPackage("dev.herdlab.workload..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("dev.herdlab.workload..", "java..", "org.jspecify.."));

  @ArchTest static final ArchRule transport = mayKnow("transport");

  @ArchTest static final ArchRule simulator = mayKnow("simulator", "balancer", "workload");

  @ArchTest
  static final ArchRule proxyNeverSeesTheWorkload = mayKnow("proxy", "balancer", "transport");

  @ArchTest static final ArchRule stub = mayKnow("stub", "workload", "transport");

  @ArchTest static final ArchRule wiremock = mayKnow("wiremock", "stub", "workload", "transport");

  @ArchTest static final ArchRule loadgen = mayKnow("loadgen", "workload", "transport");

  @ArchTest static final ArchRule dns = mayKnow("dns");

  /// Of the project's own packages, `module` knows itself and `others`.
  private static ArchRule mayKnow(String module, String... others) {
    String[] allowed = new String[others.length + 1];
    allowed[0] = "dev.herdlab." + module + "..";
    for (int i = 0; i < others.length; i++) {
      allowed[i + 1] = "dev.herdlab." + others[i] + "..";
    }
    return noClasses()
        .that()
        .resideInAPackage(allowed[0])
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.herdlab..").and(not(resideInAnyPackage(allowed))));
  }

  @ArchTest
  static final ArchRule modelHasNoSockets =
      noClasses()
          .that()
          .resideInAPackage("dev.herdlab.simulator..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.netty..", "java.net..", "java.nio.channels..");

  @ArchTest
  static final ArchRule packagesOfTheLabAreNotInCircles =
      slices().matching("dev.herdlab.lab.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule reportsDoNotMeasure =
      noClasses()
          .that()
          .resideInAnyPackage("dev.herdlab.lab.report..", "dev.herdlab.lab.config..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.herdlab.lab.run..", "io.netty..");

  @ArchTest
  static final ArchRule onlyHostsReadTheClock =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.herdlab.transport..",
              "dev.herdlab.proxy..",
              "dev.herdlab.stub..",
              "dev.herdlab.loadgen..",
              "dev.herdlab.lab",
              "dev.herdlab.lab.run..",
              "dev.herdlab.lab.conduct..",
              "dev.herdlab.benchmarks..")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Instant.class, "now");

  @ArchTest
  static final ArchRule chanceComesFromSeededStreams =
      noClasses()
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Random.class, ThreadLocalRandom.class, SecureRandom.class)
          .orShould()
          .callMethod(Math.class, "random");

  @ArchTest
  static final ArchRule nothingStaticChanges =
      fields()
          .that()
          .areStatic()
          .and()
          .doNotHaveModifier(JavaModifier.SYNTHETIC)
          .should()
          .beFinal();

  @ArchTest
  static final ArchRule namesAreNounsOfTheSubject =
      noClasses()
          .should()
          .haveNameMatching(".*\\.(Abstract\\w+|\\w*(Manager|Helper|Util|Utils|Impl|Base))")
          .because("a name says what a thing is");

  @ArchTest
  static final ArchRule classesAreFinalOrSealed =
      classes()
          .that()
          .areNotInterfaces()
          .and()
          .areNotAnonymousClasses()
          .and()
          .areNotEnums()
          .and()
          .doNotHaveModifier(JavaModifier.SYNTHETIC)
          .and(notPackageInfo())
          .should()
          .haveModifier(JavaModifier.FINAL)
          .orShould(beSealed());

  private static DescribedPredicate<JavaClass> notPackageInfo() {
    return describe("are not package-info", type -> !type.getSimpleName().equals("package-info"));
  }

  private static ArchCondition<JavaClass> beSealed() {
    return have(describe("a closed set of heirs", type -> type.reflect().isSealed()));
  }
}
