/// A publisher that begins its work at a call to ``connect()``.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts the work. Cancelling the result stops it.
  func connect() -> any Cancellable
}
