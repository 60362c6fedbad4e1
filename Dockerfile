# The images of Herdlab's components: one file, one target each (proxy, backend-stub, loadgen, lab).
#
#   docker build --target proxy -t herdlab-proxy .                              the jars are built by Maven in Docker
#   ./herdlab --help >/dev/null && docker build --target proxy -t herdlab-proxy \
#     --build-arg JARS_FROM=eclipse-temurin:25-jre .                            those of the host are taken; no network
#
# Both builders take it, BuildKit and the classic one, which runs every stage above the target: so where the jars come
# from is decided by the image of one stage, not by choosing between two.

ARG JARS_FROM=maven:3-eclipse-temurin-25

# ---- The jars: built where there is a Maven, else those that the launcher built on the host (.dockerignore lets
# nothing else of target/ in).
FROM ${JARS_FROM} AS jars
WORKDIR /source
COPY . .
RUN set -e; app=lab/target/launcher/app; \
    if command -v mvn >/dev/null; then \
      rm -rf lab/target; \
      mvn -B -ntp -q -Dfast -pl lab -am package; \
      mkdir -p "$app"; \
      mv lab/target/launcher/herdlab-lab.jar lab/target/launcher/lib "$app"; \
    elif [ ! -r "$app/herdlab-lab.jar" ]; then \
      echo "no jars in $app: run ./herdlab --help on the host first, or build with JARS_FROM=maven:3-eclipse-temurin-25" >&2; \
      exit 1; \
    fi; \
    mv "$app" /app; \
    chmod -R a+rX /app

# ---- What all components share.
FROM eclipse-temurin:25-jre AS runtime
# Numbers of their own, so that a volume's files belong to nobody on the host by chance.
RUN groupadd --gid 10001 herdlab \
 && useradd --uid 10001 --gid herdlab --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin herdlab \
 && install -d -o herdlab -g herdlab /results
WORKDIR /app
COPY --from=jars /app /app
COPY experiments /app/experiments
COPY deploy/healthy /usr/local/bin/healthy
# The heap, and whatever else one container needs of its JVM; the launcher java reads it.
ENV JDK_JAVA_OPTIONS="-Xms192m -Xmx192m"
USER 10001:10001
# 8080 and 8000-8007: the data ports of proxies and of backends; 9100: admin; 9400: metrics; 8090: the lab's page.
# The options are those of the launcher `herdlab`: the plainest collector, Netty's native library and Unsafe without a
# warning, warnings on stderr, and timers that the kernel does not let fire up to 50 us late.
ENTRYPOINT ["java", "-XX:+UseSerialGC", \
  "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", \
  "-Xlog:disable", "-Xlog:all=warning:stderr", \
  "-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8", \
  "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-Dherdlab.home=/app", \
  "-XX:+UnlockExperimentalVMOptions", "-XX:TimerSlack=1", \
  "-cp", "/app/herdlab-lab.jar", "dev.herdlab.lab.Main"]
# Asks the component's own admin port, by bash alone: a JVM for each probe would take a quarter of a core from what is
# measured.
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 CMD ["healthy", "9100"]
# A signal, not a closed standard input, ends a component.
STOPSIGNAL SIGTERM

FROM runtime AS backend-stub
EXPOSE 8000-8007 9100 9400
CMD ["backend"]

FROM runtime AS proxy
EXPOSE 8080 9100 9400
CMD ["proxy"]

FROM runtime AS loadgen
EXPOSE 9100 9400
CMD ["loadgen"]

FROM runtime AS lab
VOLUME /results
EXPOSE 8090 9400
CMD ["conduct", "experiments/tour.yaml", "--out", "/results"]
# It has no admin port: its page answers.
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 CMD ["healthy", "8090"]
