package dev.herdlab.simulator;

/// What theory says of queues: the oracles that the model is checked against, and lines to draw
/// beside it.
///
/// Times are in units, rates per unit. All are for first-in first-out queues in their steady state,
/// unless they say otherwise, and all throw [IllegalArgumentException] where there is none
/// (utilisation not below 1).
///
/// Owner thread: any (no state).
public final class ClosedForms {
  private ClosedForms() {}

  /// Mean response time of M/M/1: 1 / (mu - lambda).
  ///
  /// @param utilisation lambda x mean service time
  /// @param meanService mean service time
  public static double mm1Mean(double utilisation, double meanService) {
    checkUtilisation(utilisation);
    return meanService / (1 - utilisation);
  }

  /// Quantile `q` (below 1) of the response time of M/M/1, which is exponential.
  public static double mm1Quantile(double utilisation, double meanService, double q) {
    return -StrictMath.log1p(-q) * mm1Mean(utilisation, meanService);
  }

  /// Mean response time of M/G/1 (Pollaczek–Khinchine): E[S] + lambda E[S^2] / (2 (1 - rho)).
  ///
  /// @param arrivalsPerUnit lambda, at this one backend
  /// @param meanService E[S]
  /// @param secondMoment E[S^2], in units squared; infinite gives infinity
  public static double pollaczekKhinchine(
      double arrivalsPerUnit, double meanService, double secondMoment) {
    double utilisation = arrivalsPerUnit * meanService;
    checkUtilisation(utilisation);
    return meanService + arrivalsPerUnit * secondMoment / (2 * (1 - utilisation));
  }

  /// Mean response time of M/G/1 with processor sharing, whatever the law: E[S] / (1 - rho).
  ///
  /// Source: Kleinrock, "Queueing Systems", volume 2, section 4.4.
  public static double processorSharingMean(double utilisation, double meanService) {
    return mm1Mean(utilisation, meanService);
  }

  /// Mean response time of M/M/c (Erlang's C formula).
  ///
  /// @param utilisation lambda x mean service time / c
  /// @param servers c, 1 or more
  /// @param meanService mean service time
  public static double mmcMean(double utilisation, int servers, double meanService) {
    checkUtilisation(utilisation);
    double offered = utilisation * servers;
    // Erlang's B by its recursion, then C from B.
    double lost = 1;
    for (int i = 1; i <= servers; i++) {
      lost = offered * lost / (i + offered * lost);
    }
    double waits = lost / (1 - utilisation * (1 - lost));
    return meanService + waits * meanService / (servers * (1 - utilisation));
  }

  /// Share of the requests that M/M/1/K turns away: (1 - rho) rho^K / (1 - rho^(K + 1)). There is a
  /// steady state at every load.
  ///
  /// @param utilisation offered load rho, 0 or more
  /// @param limit K: most requests at the backend, the one in service included
  public static double mm1kBlocking(double utilisation, int limit) {
    if (utilisation == 1) {
      return 1.0 / (limit + 1);
    }
    return (1 - utilisation)
        * StrictMath.pow(utilisation, limit)
        / (1 - StrictMath.pow(utilisation, limit + 1));
  }

  /// Mean response time under the power of d choices with exponential service of mean 1, Poisson
  /// arrivals and true counts, as the number of backends goes to infinity: the sum over i >= 1 of
  /// rho^((d^i - d) / (d - 1)).
  ///
  /// Deviation at n backends: about c / n, with c of a few units at rho = 0.9 (Gast and Van Houdt,
  /// "A Refined Mean Field Approximation", SIGMETRICS 2018).
  /// Source: Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", TPDS 12(10),
  /// 2001; Vvedenskaya, Dobrushin and Karpelevich, 1996.
  ///
  /// @param utilisation rho
  /// @param choices d, 1 or more
  public static double powerOfChoicesMean(double utilisation, int choices) {
    checkUtilisation(utilisation);
    if (choices < 1) {
      throw new IllegalArgumentException("choices: " + choices + " (expected: 1 or more)");
    }
    if (choices == 1) {
      return mm1Mean(utilisation, 1);
    }
    double sum = 0;
    // Exponents 0, d, d + d^2, ...: each is d times the last, plus d.
    double exponent = 0;
    double term = 1;
    while (term > 0 && sum + term != sum) {
      sum += term;
      exponent = exponent * choices + choices;
      term = StrictMath.pow(utilisation, exponent);
    }
    return sum;
  }

  /// Mean response time under join-idle-queue, as the numbers of backends and of proxies go to
  /// infinity together: that of M/G/1 at the load of the requests that find no idle backend queued
  /// at their proxy, rho (1 - x). The share x of the proxies whose idle queue is not empty solves
  /// sum over i >= 1 of x^((d^i - 1) / (d - 1)) = r (1 - rho); with d = 1 the sum is x / (1 - x).
  ///
  /// Source: Lu, Xie, Kliot, Geller, Larus and Greenberg, "Join-Idle-Queue", Performance Evaluation
  /// 68(11), 2011, theorems 1 and 2.
  ///
  /// @param utilisation rho
  /// @param backendsPerProxy r, above 0
  /// @param choices d: idle queues of which a backend joins the shortest, 1 or more
  /// @param meanService E[S]
  /// @param secondMoment E[S^2]
  public static double joinIdleQueueMean(
      double utilisation,
      double backendsPerProxy,
      int choices,
      double meanService,
      double secondMoment) {
    checkUtilisation(utilisation);
    if (choices < 1) {
      throw new IllegalArgumentException("choices: " + choices + " (expected: 1 or more)");
    }
    double idlePerProxy = backendsPerProxy * (1 - utilisation);
    double low = 0;
    double high = 1;
    // Halving a double's interval more often than it has bits changes nothing.
    for (int i = 0; i < 64; i++) {
      double middle = (low + high) / 2;
      if (idleQueueMean(middle, choices) < idlePerProxy) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double load = utilisation * (1 - low);
    return pollaczekKhinchine(load / meanService, meanService, secondMoment);
  }

  /// Mean length of an idle queue of which a share `occupied` is not empty.
  private static double idleQueueMean(double occupied, int choices) {
    if (choices == 1) {
      return occupied / (1 - occupied);
    }
    double sum = 0;
    // Exponents 1, 1 + d, 1 + d + d^2, ...: each is d times the last, plus one.
    double exponent = 1;
    double term = occupied;
    while (term > 0 && sum + term != sum) {
      sum += term;
      exponent = exponent * choices + 1;
      term = StrictMath.pow(occupied, exponent);
    }
    return sum;
  }

  private static void checkUtilisation(double utilisation) {
    if (!(utilisation >= 0 && utilisation < 1)) {
      throw new IllegalArgumentException(
          "utilisation: "
              + utilisation
              + " (expected: 0 or more and below 1, or there is no steady state)");
    }
  }
}
