package dev.herdlab.wiremock;

import com.github.tomakehurst.wiremock.common.Gzip;
import com.github.tomakehurst.wiremock.common.Urls;
import com.github.tomakehurst.wiremock.http.ContentTypeHeader;
import com.github.tomakehurst.wiremock.http.Cookie;
import com.github.tomakehurst.wiremock.http.FormParameter;
import com.github.tomakehurst.wiremock.http.HttpHeader;
import com.github.tomakehurst.wiremock.http.HttpHeaders;
import com.github.tomakehurst.wiremock.http.QueryParameter;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.http.RequestMethod;
import com.github.tomakehurst.wiremock.http.multipart.PartParser;
import dev.herdlab.stub.Exchange;
import dev.herdlab.transport.Head;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One request as WireMock wants to see it: strings out of a scanned head, and the body.
///
/// What is derived (headers, query, form, parts) is made when it is asked for: WireMock asks once.
/// Owner thread: the engine's worker that it is given to.
final class ReceivedRequest implements Request {
  private static final String COOKIE = "Cookie";
  private static final String FORWARDED_FOR = "X-Forwarded-For";
  private static final String FORM = "application/x-www-form-urlencoded";

  private final String method;
  // Path and query.
  private final String url;
  private final String authority;
  private final String protocol;
  private final String clientIp;
  private final int localPort;
  private final List<String> names;
  private final List<String> values;
  private final byte[] received;
  private byte @Nullable [] body;
  private @Nullable HttpHeaders headers;

  private ReceivedRequest(Exchange exchange, Head head, byte[] received) {
    this.method = head.text(head.methodStart(), head.methodEnd());
    boolean absolute = head.authorityStart() >= 0;
    int path = absolute ? head.authorityEnd() : head.targetStart();
    String target = head.text(path, head.targetEnd());
    this.url = target.startsWith("/") ? target : "/" + (target.equals("*") ? "" : target);
    this.protocol = "HTTP/1." + head.minorVersion();
    this.names = new ArrayList<>(head.fields());
    this.values = new ArrayList<>(head.fields());
    for (int i = 0; i < head.fields(); i++) {
      names.add(head.text(head.nameStart(i), head.nameEnd(i)));
      values.add(head.text(head.valueStart(i), head.valueEnd(i)));
    }
    this.localPort = exchange.local().getPort();
    String host = value("Host");
    this.authority =
        absolute
            ? head.text(head.authorityStart(), head.authorityEnd())
            : host == null ? "localhost:" + localPort : host;
    this.clientIp = exchange.remote().getAddress().getHostAddress();
    this.received = received;
  }

  /// A copy of what the head says. On the loop.
  static ReceivedRequest of(Exchange exchange, Head head, byte[] body) {
    return new ReceivedRequest(exchange, head, body);
  }

  // The first of its name.
  private @Nullable String value(String name) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equalsIgnoreCase(name)) {
        return values.get(i);
      }
    }
    return null;
  }

  @Override
  public String getUrl() {
    return url;
  }

  @Override
  public String getAbsoluteUrl() {
    return getScheme() + "://" + authority + url;
  }

  @Override
  public RequestMethod getMethod() {
    return RequestMethod.fromString(method.toUpperCase(Locale.ROOT));
  }

  @Override
  public String getScheme() {
    return "http";
  }

  @Override
  public String getHost() {
    int colon = colonOfPort();
    return colon < 0 ? authority : authority.substring(0, colon);
  }

  @Override
  public int getPort() {
    int colon = colonOfPort();
    try {
      return colon < 0 ? localPort : Integer.parseInt(authority.substring(colon + 1));
    } catch (NumberFormatException e) {
      return localPort;
    }
  }

  // Not one within an IPv6 address.
  private int colonOfPort() {
    int colon = authority.lastIndexOf(':');
    return colon > authority.lastIndexOf(']') ? colon : -1;
  }

  @Override
  public String getClientIp() {
    String forwarded = value(FORWARDED_FOR);
    return forwarded == null || forwarded.isEmpty() ? clientIp : forwarded;
  }

  @Override
  public @Nullable String getHeader(String key) {
    return value(key);
  }

  @Override
  public HttpHeader header(String key) {
    return getHeaders().getHeader(key);
  }

  @Override
  public ContentTypeHeader contentTypeHeader() {
    return getHeaders().getContentTypeHeader();
  }

  @Override
  public HttpHeaders getHeaders() {
    if (headers == null) {
      List<HttpHeader> all = new ArrayList<>(names.size());
      for (int i = 0; i < names.size(); i++) {
        all.add(new HttpHeader(names.get(i), values.get(i)));
      }
      headers = new HttpHeaders(all);
    }
    return headers;
  }

  @Override
  public boolean containsHeader(String key) {
    return value(key) != null;
  }

  @Override
  public Set<String> getAllHeaderKeys() {
    return new LinkedHashSet<>(names);
  }

  @Override
  public QueryParameter queryParameter(String key) {
    QueryParameter parameter = Urls.splitQueryFromUrl(url).get(key);
    return parameter == null ? QueryParameter.absent(key) : parameter;
  }

  @Override
  public FormParameter formParameter(String key) {
    FormParameter parameter = formParameters().get(key);
    return parameter == null ? FormParameter.absent(key) : parameter;
  }

  @Override
  public Map<String, FormParameter> formParameters() {
    String type = value(ContentTypeHeader.KEY);
    if (type == null || !type.contains(FORM)) {
      return Map.of();
    }
    return Urls.splitQuery(getBodyAsString()).entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                each -> new FormParameter(each.getKey(), each.getValue().values())));
  }

  @Override
  public Map<String, Cookie> getCookies() {
    Map<String, List<String>> cookies = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equalsIgnoreCase(COOKIE)) {
        for (String pair : values.get(i).split(";", -1)) {
          int equals = pair.indexOf('=');
          if (equals > 0) {
            String value = pair.substring(equals + 1).strip();
            boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
            cookies
                .computeIfAbsent(pair.substring(0, equals).strip(), name -> new ArrayList<>())
                .add(quoted ? value.substring(1, value.length() - 1) : value);
          }
        }
      }
    }
    Map<String, Cookie> result = new LinkedHashMap<>();
    cookies.forEach((name, all) -> result.put(name, new Cookie(name, all)));
    return result;
  }

  @Override
  public byte[] getBody() {
    if (body == null) {
      String encoding = value("Content-Encoding");
      boolean zipped = Gzip.isGzipped(received) || (encoding != null && encoding.contains("gzip"));
      body = zipped ? Gzip.unGzip(received) : received;
    }
    return body;
  }

  @Override
  public String getBodyAsString() {
    String type = value(ContentTypeHeader.KEY);
    Charset charset = type == null ? StandardCharsets.UTF_8 : new ContentTypeHeader(type).charset();
    return new String(getBody(), charset);
  }

  @Override
  public String getBodyAsBase64() {
    return Base64.getEncoder().encodeToString(getBody());
  }

  @Override
  public boolean isMultipart() {
    String type = value(ContentTypeHeader.KEY);
    return type != null && type.strip().toLowerCase(Locale.ROOT).startsWith("multipart/");
  }

  @Override
  public @Nullable Collection<Part> getParts() {
    if (!isMultipart()) {
      return null;
    }
    Collection<Part> parts = PartParser.parseFrom(this);
    return parts.isEmpty() ? null : parts;
  }

  @Override
  public @Nullable Part getPart(String name) {
    Collection<Part> parts = getParts();
    if (parts == null) {
      return null;
    }
    return parts.stream().filter(part -> name.equals(part.getName())).findFirst().orElse(null);
  }

  @Override
  public boolean isBrowserProxyRequest() {
    return false;
  }

  @Override
  public Optional<Request> getOriginalRequest() {
    return Optional.empty();
  }

  @Override
  public String getProtocol() {
    return protocol;
  }
}
