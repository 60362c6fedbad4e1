package dev.herdlab.lab.admin;

/// What a resource does with one request of one method. Called on a thread of the server, several
/// at once; interrupted when it takes too long.
@FunctionalInterface
public interface AdminHandler {
  /// The answer.
  ///
  /// @throws IllegalArgumentException for 400: what the request says is wrong, in one line
  /// @throws AdminException for another status than 400 or 200
  /// @throws java.io.IOException for 502: somebody else whom the component asked failed
  AdminAnswer answer(AdminRequest request) throws Exception;
}
