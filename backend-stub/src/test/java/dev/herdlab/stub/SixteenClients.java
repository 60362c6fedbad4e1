package dev.herdlab.stub;

import static dev.herdlab.stub.RawClient.get;
import static dev.herdlab.stub.StubFixture.MILLI;

import dev.herdlab.stub.RawClient.Response;
import dev.herdlab.stub.RawClient.Stamps;
import dev.herdlab.workload.RandomStream;
import dev.herdlab.workload.ServiceLaw;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// 16 clients that each send 25 requests to a stub, one at a time: a queue that is seldom empty.
final class SixteenClients {
  private SixteenClients() {}

  /// A request that was answered.
  record Served(long serviceNanos, Stamps stamps, int inFlight) {}

  private static Callable<List<Served>> clientOf(StubFixture stub, RandomStream random) {
    ServiceLaw law = ServiceLaw.parse("lognormal");
    return () -> {
      RawClient client = stub.client();
      List<Served> served = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        long service = law.sampleNanos(random, MILLI / 2);
        Response response = client.exchange(get(service));
        served.add(
            new Served(
                service,
                response.stamps(),
                Integer.parseInt(response.field("x-herdlab-in-flight"))));
      }
      return served;
    };
  }

  /// What they were answered, in the order of arrival.
  static List<Served> of(StubFixture stub) throws Exception {
    List<Served> served = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Served>>> clients = new ArrayList<>();
      for (int c = 0; c < 16; c++) {
        clients.add(threads.submit(clientOf(stub, RandomStream.of(7, "client", c))));
      }
      for (Future<List<Served>> client : clients) {
        served.addAll(client.get());
      }
    }
    served.sort(
        Comparator.comparingLong((Served each) -> each.stamps.received())
            .thenComparingLong(each -> each.stamps.start()));
    return served;
  }
}
