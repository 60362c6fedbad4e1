package dev.herdlab.wiremock;

import dev.herdlab.stub.Answer;
import java.io.IOException;
import java.net.URLConnection;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The files under `__files`, which WireMock serves by their path where no mapping matches.
///
/// Owner thread: any.
///
/// @param folder `__files`, which may be missing
record StaticFiles(Path folder) {
  /// The file that a URL's path names, if there is one within the folder.
  Optional<Answer> find(String url) {
    try {
      int query = url.indexOf('?');
      String path =
          URLDecoder.decode(
              (query < 0 ? url : url.substring(0, query)).replace("+", "%2B"),
              StandardCharsets.UTF_8);
      Path file = folder.resolve(path.substring(1)).normalize();
      if (!file.startsWith(folder) || !Files.isRegularFile(file)) {
        return Optional.empty();
      }
      String type = URLConnection.guessContentTypeFromName(file.getFileName().toString());
      return Optional.of(AnswerMaker.response(200, type, Files.readAllBytes(file)));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
