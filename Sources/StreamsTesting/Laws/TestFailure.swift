/// The failures with which upstreams fail in tests, and closures throw.
public enum TestFailure: Error {
  /// What an upstream fails with.
  case scripted
  /// What a closure throws.
  case thrown
  /// Anything that no test made.
  case other
}
