package dev.herdlab.wiremock;

import com.github.tomakehurst.wiremock.core.Options;
import com.github.tomakehurst.wiremock.http.AdminRequestHandler;
import com.github.tomakehurst.wiremock.http.HttpServer;
import com.github.tomakehurst.wiremock.http.HttpServerFactory;
import com.github.tomakehurst.wiremock.http.StubRequestHandler;
import org.jspecify.annotations.Nullable;

/// What WireMock takes for its HTTP server, and where its two handlers are taken from: the sockets
/// are the pool's.
///
/// Owner thread: the one that makes the WireMock server, before others use it.
final class Handlers implements HttpServerFactory, HttpServer {
  private @Nullable StubRequestHandler stubs;
  private @Nullable AdminRequestHandler admin;

  @Override
  public HttpServer buildHttpServer(
      Options options, AdminRequestHandler adminHandler, StubRequestHandler stubHandler) {
    admin = adminHandler;
    stubs = stubHandler;
    return this;
  }

  StubRequestHandler stubs() {
    if (stubs == null) {
      throw new IllegalStateException("WireMock has made no handlers");
    }
    return stubs;
  }

  AdminRequestHandler admin() {
    if (admin == null) {
      throw new IllegalStateException("WireMock has made no handlers");
    }
    return admin;
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public boolean isRunning() {
    return true;
  }

  @Override
  public int port() {
    return 0;
  }

  @Override
  public int httpsPort() {
    return -1;
  }
}
