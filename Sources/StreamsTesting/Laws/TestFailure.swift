/// The failures of upstreams in tests, and the errors of closures.
public enum TestFailure: Error {
  /// The failure of an upstream.
  case scripted
  /// The error of a closure.
  case thrown
  /// An error that no test created.
  case other
}
