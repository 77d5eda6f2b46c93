internal import Streams
internal import StreamsTesting

/// One script, played to an operator and to its model at the same time.
///
/// Whatever happens is told to the model as it happens. What the operator sends must be what the model would send
/// next; and when nothing is under way any more, the model must have nothing left to send, and have asked its
/// upstreams for as much.
public final class Play {
  /// What was wrong first.
  public private(set) var fault: String?
  /// Everything that happened, if it was to be told.
  public private(set) var story: [String] = []

  private let entry: ModelledOperator
  private let isTelling: Bool
  private var model: any Model
  private var stage: Stage!
  private var subscribe: ((Play, Int) -> Void)?
  private var posts: [Post] = []
  private var reactions: [Reaction] = []
  private var now = 0
  private var isOver = false

  init(_ entry: ModelledOperator, isTelling: Bool) {
    self.entry = entry
    self.isTelling = isTelling
    model = entry.makeModel()
    stage = Stage(entry.sources, for: self)
    subscribe = entry.build(stage)
  }

  /// Plays `steps`. The answer is what was wrong, `nil` if nothing was.
  static func run(_ entry: ModelledOperator, _ steps: [Step]) -> String? {
    let play = Play(entry, isTelling: false)
    play.run(steps)
    return play.fault
  }

  func run(_ steps: [Step]) {
    defer { clearAway() }
    for step in steps {
      // What is prepared before the first subscription concerns it.
      if posts.isEmpty, !step.isPreparation {
        join()
        compare()
      }
      perform(step)
      if fault != nil { return }
      compare()
      if fault != nil { return }
    }
    close()
  }

  // MARK: Steps

  private func perform(_ step: Step) {
    tell("\(step)")
    switch step {
    case .line(let line, let signal): say(signal, on: line)
    case .request(let downstream, let ask): request(ask.demand, at: downstream % posts.count)
    case .cancel(let downstream): cancel(downstream % posts.count)
    case .join: if !posts.isEmpty { join() }
    case .advance(let seconds): advance(to: now + seconds)
    case .onDelivery(let reaction): reactions.append(reaction)
    case .onRequest(let signal): stage.onRequest.append(signal)
    case .onSubscription(let signal): stage.onSubscription.append(signal)
    }
  }

  private func say(_ signal: Signal, on line: Int) {
    if !stage.lines.isEmpty { stage.lines[line % stage.lines.count].say(signal) }
  }

  private func request(_ demand: Subscribers.Demand, at number: Int) {
    guard let subscription = posts[number].subscription else { return }
    posts[number].asked += demand
    take(.asked(number, demand))
    subscription.request(demand)
  }

  private func cancel(_ number: Int) {
    guard let subscription = posts[number].subscription else { return }
    posts[number].hasCancelled = true
    take(.cancelled(number))
    subscription.cancel()
  }

  private func join() {
    guard posts.count < entry.downstreams else { return rejoin() }
    posts.append(Post())
    take(.joined(posts.count - 1))
    subscribe?(self, posts.count - 1)
  }

  /// Once it is over, the same publisher is subscribed to again, from the beginning.
  private func rejoin() {
    guard entry.downstreams == 1, posts[0].isOver else { return }
    advance(to: now + 100)
    stage.lines = []
    model = entry.makeModel()
    model.ledger.now = now
    posts = []
    join()
  }

  private func advance(to time: Int) {
    now = time
    take(.moving(to: time))
    stage.scheduler.advance(to: VirtualTime(.seconds(time)))
    compare()
    take(.rested)
  }

  // MARK: What the downstreams get

  func expect(_ downstream: AnyObject, at number: Int) { posts[number].downstream = downstream }

  func arrived(_ subscription: any Subscription, at number: Int) {
    if posts[number].subscription != nil {
      return complain("downstream \(number) gets a second subscription")
    }
    posts[number].subscription = subscription
    let answer = react(at: number)
    if answer > .none { request(answer, at: number) }
    take(.arrived(number))
  }

  func received(_ value: [Int], at number: Int) -> Subscribers.Demand {
    expect(.value(number, value), at: number)
    posts[number].received += 1
    if let most = posts[number].asked.max, posts[number].received > most {
      complain("downstream \(number) gets more than it asked for")
    }
    let answer = react(at: number)
    posts[number].asked += answer
    if answer > .none { take(.answered(number, answer)) }
    take(.returned(number))
    return answer
  }

  func ended(_ ending: Ending, at number: Int) {
    expect(.ending(number, ending), at: number)
    posts[number].hasEnded = true
    _ = react(at: number)
    take(.returned(number))
  }

  /// The next reaction that was prepared.
  private func react(at number: Int) -> Subscribers.Demand {
    guard !reactions.isEmpty else { return .none }
    let reaction = reactions.removeFirst()
    tell("  inside: \(reaction)")
    switch reaction {
    case .answer(let ask): return ask.demand
    case .request(let ask): request(ask.demand, at: number)
    case .cancel: cancel(number)
    case .line(let line, let signal): say(signal, on: line)
    case .join: if entry.downstreams > 1 { join() }
    }
    return .none
  }

  // MARK: What the model says

  func take(_ stimulus: Stimulus) {
    tell("  \(stimulus)")
    if fault == nil, !isOver { model.take(stimulus) }
  }

  private func expect(_ output: Output, at number: Int) {
    tell("  sent: \(output)")
    guard fault == nil, !isOver else { return }
    if posts[number].subscription == nil { return complain("\(output) comes before the subscription") }
    if posts[number].isOver { return complain("\(output) comes after the end") }
    let owed = model.next()
    if owed != output {
      complain("\(output) was sent, but the model sends \(owed.map { "\($0)" } ?? "nothing")")
    }
  }

  private func compare() {
    guard fault == nil else { return }
    model.take(.settled)
    if let owed = model.next() { return complain("the model sends \(owed), but nothing came") }
    if let difference = model.ledger.difference(from: stage.lines) { complain(difference) }
  }

  /// Everything is dropped: nobody may keep a downstream that has heard the end, or has cancelled.
  private func close() {
    let number = posts.firstIndex { !$0.isOver }
    guard number == nil, !posts.isEmpty else { return }
    advance(to: now + 100)
    for index in posts.indices where posts[index].downstream != nil {
      complain("downstream \(index) is kept after its end")
    }
  }

  /// Cancels everything, and does what is left on the scheduler: a job that waits holds what it is to work with.
  private func clearAway() {
    isOver = true
    repeat {
      for post in posts { post.subscription?.cancel() }
      stage.scheduler.advance(by: 1)
    } while stage.scheduler.pending > 0
    for line in stage.lines { line.letGo() }
  }

  func complain(_ what: String) {
    tell("  \(what)")
    if fault == nil, !isOver { fault = what }
  }

  private func tell(_ line: @autoclosure () -> String) {
    if isTelling { story.append(line()) }
  }
}

extension Step {
  fileprivate var isPreparation: Bool {
    switch self {
    case .onDelivery, .onRequest, .onSubscription: true
    default: false
    }
  }
}
