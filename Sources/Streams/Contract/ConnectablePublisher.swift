/// A publisher that sends nothing before it is told to.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts the stream. Cancelling the result stops it.
  func connect() -> any Cancellable
}
