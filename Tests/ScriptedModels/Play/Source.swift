public import Streams

/// An upstream that does what the script says, as far as the contract lets it.
public final class Source: Publisher {
  public typealias Output = Int
  public typealias Failure = Breakdown

  let number: Int
  weak var stage: Stage?

  init(_ number: Int) { self.number = number }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Int, Downstream.Failure == Breakdown {
    guard let stage else { return }
    let line = Line(stage.lines.count, of: stage, to: subscriber)
    stage.lines.append(line)
    stage.play.take(.opened(source: number))
    subscriber.receive(subscription: line)
    if let signal = stage.popOnSubscription() { line.say(signal) }
  }
}

/// One subscription to a source. It keeps the contract, and notes if the other side does not.
public final class Line: Subscription {
  let number: Int
  private weak var stage: Stage?
  private var send: ((Int) -> Subscribers.Demand)?
  private var complete: ((Subscribers.Completion<Breakdown>) -> Void)?
  private var said = 0
  /// Everything that was asked for, by requests and answers.
  private(set) var asked = Subscribers.Demand.none
  private(set) var cancellations = 0
  private(set) var hasEnded = false

  init<Downstream: Subscriber<Int, Breakdown>>(_ number: Int, of stage: Stage, to downstream: Downstream) {
    self.number = number
    self.stage = stage
    send = { downstream.receive($0) }
    complete = { downstream.receive(completion: $0) }
  }

  var isLive: Bool { !hasEnded && cancellations == 0 }

  private var maySpeak: Bool { isLive && (asked.max.map { said < $0 } ?? true) }

  func say(_ signal: Signal) {
    switch signal {
    case .value(let value):
      guard maySpeak, let send else { return }
      said += 1
      stage?.play.take(.value(line: number, value))
      note(send(value))
    case .finish: end(.finished, .finished)
    case .fail: end(.failure(.scripted), .failed(Breakdown.scripted.code))
    }
  }

  private func end(_ completion: Subscribers.Completion<Breakdown>, _ ending: Ending) {
    guard isLive, let complete else { return }
    hasEnded = true
    stage?.play.take(.ended(line: number, ending))
    complete(completion)
    letGo()
  }

  public func request(_ demand: Subscribers.Demand) {
    guard let stage, isLive else { return }
    if demand == .none { stage.play.complain("line \(number) is asked for nothing") }
    note(demand)
    if let signal = stage.popOnRequest() { say(signal) }
  }

  /// How often a stage cancels that is over is a law's business; those without state do it as often as downstream.
  public func cancel() {
    guard isLive else { return }
    cancellations += 1
    letGo()
  }

  private func note(_ demand: Subscribers.Demand) { asked += demand }

  /// As a publisher that goes away.
  func letGo() {
    (send, complete) = (nil, nil)
  }
}
