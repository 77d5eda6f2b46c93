/// An activity that can be cancelled.
public protocol Cancellable {
  /// Cancels the activity. Calling this again has no effect.
  func cancel()
}
