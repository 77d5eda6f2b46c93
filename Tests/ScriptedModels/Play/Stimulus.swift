public import Streams

/// How a stream ends.
public enum Ending: Equatable, Sendable {
  case finished
  case failed(Int)
}

/// The failure of scripted upstreams.
public struct Breakdown: Error, Equatable, Sendable {
  public let code: Int

  public init(_ code: Int) { self.code = code }

  /// What an upstream fails with when a script says so.
  public static let scripted = Breakdown(1)
}

/// What happens to an operator, one thing after another: what is done inside a delivery stands after the value.
public enum Stimulus: Equatable {
  /// A downstream subscribes.
  case joined(Int)
  /// The operator's subscription to a source has arrived; it is the next line.
  case opened(source: Int)
  case value(line: Int, Int)
  case ended(line: Int, Ending)
  /// A downstream requests.
  case asked(Int, Subscribers.Demand)
  /// A downstream has answered a value.
  case answered(Int, Subscribers.Demand)
  case cancelled(Int)
  /// A downstream comes back from the arrival of its subscription.
  case arrived(Int)
  /// A downstream comes back from what it was sent last.
  case returned(Int)
  /// The scheduler begins to do what is due until then.
  case moving(to: Int)
  /// The scheduler has done it all.
  case rested
  /// Nothing is under way any more.
  case settled
}

/// What an operator sends to one of its downstreams. Every value is told as a list of numbers.
public enum Output: Equatable {
  case value(Int, [Int])
  case ending(Int, Ending)
}
