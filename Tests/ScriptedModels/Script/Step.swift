internal import Streams

/// One thing that a script does.
///
/// Lines are subscriptions to upstreams, numbered as the operator makes them, and downstreams are numbered as they
/// subscribe; a number that is too large is taken modulo how many there are. A step that cannot be done – a value
/// for which there is no demand, say – does nothing.
public enum Step: Equatable, Sendable {
  /// An upstream does this on one of its lines.
  case line(Int, Signal)
  /// A downstream asks for so many more.
  case request(Int, Ask)
  /// A downstream cancels.
  case cancel(Int)
  /// Another downstream subscribes, if the operator has room for one.
  case join
  /// Time passes.
  case advance(Int)
  /// The next delivery to a downstream does this before it returns.
  case onDelivery(Reaction)
  /// The next upstream that is asked for something does this before the request returns.
  case onRequest(Signal)
  /// The next upstream that is subscribed to does this as soon as it has handed its subscription over.
  case onSubscription(Signal)
}

/// What an upstream says.
public enum Signal: Equatable, Sendable {
  case value(Int)
  case finish
  case fail
}

/// How many values.
public enum Ask: Equatable, Sendable {
  case some(Int)
  case all

  var demand: Subscribers.Demand {
    switch self {
    case .some(let count): .max(count)
    case .all: .unlimited
    }
  }
}

/// What a downstream does from inside a delivery.
public enum Reaction: Equatable, Sendable {
  case request(Ask)
  /// The demand that it returns.
  case answer(Ask)
  case cancel
  case line(Int, Signal)
  case join
}

extension Step: CustomStringConvertible {
  /// As it stands in source code.
  public var description: String {
    switch self {
    case .line(let line, let signal): ".line(\(line), \(signal))"
    case .request(let downstream, let ask): ".request(\(downstream), \(ask))"
    case .cancel(let downstream): ".cancel(\(downstream))"
    case .join: ".join"
    case .advance(let seconds): ".advance(\(seconds))"
    case .onDelivery(let reaction): ".onDelivery(\(reaction))"
    case .onRequest(let signal): ".onRequest(\(signal))"
    case .onSubscription(let signal): ".onSubscription(\(signal))"
    }
  }
}

extension Signal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .value(let value): ".value(\(value))"
    case .finish: ".finish"
    case .fail: ".fail"
    }
  }
}

extension Ask: CustomStringConvertible {
  public var description: String {
    switch self {
    case .some(let count): ".some(\(count))"
    case .all: ".all"
    }
  }
}

extension Reaction: CustomStringConvertible {
  public var description: String {
    switch self {
    case .request(let ask): ".request(\(ask))"
    case .answer(let ask): ".answer(\(ask))"
    case .cancel: ".cancel"
    case .line(let line, let signal): ".line(\(line), \(signal))"
    case .join: ".join"
    }
  }
}
