package dev.herdlab.lab.config;

/// Hears how far a run has come, and says whether to go on. Called on any thread, one at a time.
public interface RunListener {
  /// `done` of 1 is done; `what` is being done now, in a few words.
  void progress(double done, String what);

  /// Something worth a line of its own on stderr, e.g. an attempt that was not valid.
  void note(String line);

  /// A result could not be written, in one line; it is lost to the folder, but the run goes on, and
  /// what is printed is complete. Once a run.
  void notKept(String line);

  /// True once the user has asked to stop: what is finished is kept, nothing new is begun.
  boolean stopRequested();

  /// `action` runs once, on another thread, when the user asks to stop; it replaces an earlier one.
  void onStop(Runnable action);
}
