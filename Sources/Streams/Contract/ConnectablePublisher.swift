/// A publisher that sends values only after a call to ``connect()``.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts the stream. Cancelling the result stops it.
  func connect() -> any Cancellable
}
