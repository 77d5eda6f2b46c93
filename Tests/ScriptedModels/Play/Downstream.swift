internal import Streams

/// A subscriber that reports to the play, and does there what the script says.
final class Downstream<Input, Failure: Error>: Subscriber {
  private let number: Int
  private unowned let play: Play
  private let tell: (Input) -> [Int]

  init(_ number: Int, of play: Play, tell: @escaping (Input) -> [Int]) {
    self.number = number
    self.play = play
    self.tell = tell
  }

  func receive(subscription: any Subscription) { play.arrived(subscription, at: number) }

  func receive(_ input: Input) -> Subscribers.Demand { play.received(tell(input), at: number) }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: play.ended(.finished, at: number)
    case .failure(let error as Breakdown): play.ended(.failed(error.code), at: number)
    case .failure: play.ended(.failed(0), at: number)
    }
  }
}

/// What the play knows of one downstream.
struct Post {
  var subscription: (any Subscription)?
  var asked = Subscribers.Demand.none
  var received = 0
  var hasEnded = false
  var hasCancelled = false
  /// To see whether it is let go of.
  weak var downstream: AnyObject?

  var isOver: Bool { hasEnded || hasCancelled }
}
