import Interleavings
import Streams
import StreamsExtras

/// What one schedule of one scenario is played on: upstreams, the operator, its subscribers.
final class Stand {
  let explored: Explored
  let scenario: Scenario
  private(set) var sources: [Source] = []
  private(set) var inputs: [Input] = []
  private(set) var jobs: Jobs?
  private(set) var probes: [Probe] = []
  private var attach: ((Probe) -> Void)?
  private var holder: AnyCancellable?
  /// Connects what is connected by hand.
  var connect: (() -> any Cancellable)?
  /// The last value, if there is one to be asked for.
  var latest: (() -> Int)?

  private var counts: [Int: Int] = [:]
  private(set) var sent: [Int] = []
  /// When each number was sent.
  private var moments: [Int: VirtualTime] = [:]
  /// The numbers for which `trySend` has returned true.
  private var attempted: Set<Int> = []
  private(set) var hasEnded = false
  private(set) var hasFailed = false

  init(_ explored: Explored, _ scenario: Scenario) {
    self.explored = explored
    self.scenario = scenario
    Probe.forgetGuests()
    attach = explored.assemble(self)
    if !scenario.subscribesLate { begin() }
  }

  private func begin() {
    subscribe()
    if explored.traits.contains(.subscribesLater) { jobs?.drain() }
    if let connect { cancellables.append(connect()) }
    for input in explored.prelude { send(input) }
  }

  /// What scenarios check at the end, besides.
  var atEnd: [() -> Void] = []

  private(set) var cancellables: [any Cancellable] = []

  func keep(_ cancellable: (any Cancellable)?) { cancellable.map { cancellables.append($0) } }

  // MARK: Assembling

  /// An upstream, which becomes an input.
  func source() -> Source {
    let isAlone = explored.inputs == 1
    let source = Source(
      forSeveral: scenario.isReentrant || isAlone && scenario.hasSeveralProducers,
      isLate: scenario.opensLate && sources.count == explored.inputs - 1,
      answersAtOnce: scenario.answersAtOnce)
    sources.append(source)
    add(Input(send: { source.send($0) }, complete: { source.send(completion: $0) }))
    return source
  }

  func add(_ input: Input) { inputs.append(input) }

  func scheduler() -> Jobs {
    let made = jobs ?? Jobs()
    jobs = made
    return made
  }

  // MARK: What scenarios do

  var probe: Probe { probes[0] }
  var last: Int { inputs.count - 1 }

  func makeProbe() -> Probe {
    let probe = Probe(asking: scenario.demand)
    probe.answer = scenario.answer
    probe.isGuest = !explored.traits.isSuperset(of: [.shares, .hasCurrent])
    if explored.traits.contains(.isDelayed) { probe.onNumber = { [unowned self] in checkDelay($0) } }
    if explored.traits.contains(.deliversInJobs) { probe.onDelivery = { [unowned self] in checkScheduler() } }
    if explored.traits.contains(.isTried) { probe.onNumber = { [unowned self] in checkAttempt($0) } }
    probes.append(probe)
    return probe
  }

  func subscribe() { subscribe(makeProbe()) }

  /// Two threads: one subscribes, and the other does `body` as soon as the subscription is there.
  func subscribing(beside body: @escaping (Probe) -> Void) -> [() -> Void] {
    let probe = makeProbe()
    return [
      { self.subscribe(probe) },
      {
        probe.wait()
        body(probe)
      },
    ]
  }

  func subscribe(_ probe: Probe) { probe.asGuest { attach?(probe) } }

  /// Returns the number of the value that it sends.
  @discardableResult
  func send(_ input: Int) -> Int {
    if inputs.isEmpty { return 0 }
    let producer = Explorer.shared.runner + 2
    let count = counts[producer, default: 0] + 1
    counts[producer] = count
    let number = producer * 100 + count
    sent.append(number)
    moments[number] = jobs?.now
    Explorer.shared.note { "sends \(number)" }
    for probe in probes { probe.willCall() }
    Probe.asSender { inputs[input].send(Item(number)) }
    return number
  }

  /// Law T3: not before it is due.
  private func checkDelay(_ number: Int) {
    guard !hasEnded, let jobs, let moment = moments[number], jobs.now < moment.advanced(by: 1) else { return }
    Explorer.shared.fail("T3: \(number), sent at \(moment), is delivered at \(jobs.now)")
  }

  /// Law X16: by a job of the scheduler, whatever other threads do.
  private func checkScheduler() {
    if jobs?.isAtWork == false {
      Explorer.shared.fail("X16: something is delivered outside of the scheduler")
    }
  }

  /// Sends with `trySend`, and with `send` what that refuses. Law X15: what is refused is not sent.
  func attempt(_ item: Item, with trySend: (Item) -> Bool, orElse send: (Item) -> Void) {
    if trySend(item) {
      attempted.insert(item.number)
      return
    }
    if probes.contains(where: { $0.numbers.contains(item.number) }) || latest?() == item.number {
      Explorer.shared.fail("X15: \(item.number) is refused, and sent")
    }
    send(item)
  }

  /// Law X15: what is not refused is delivered before the call returns.
  private func checkAttempt(_ number: Int) {
    if attempted.contains(number) {
      Explorer.shared.fail("X15: \(number) is delivered after trySend has returned")
    }
  }

  /// Lets the last upstream arrive.
  func open() { sources.last?.open() }

  func finish(_ input: Int) {
    if inputs.isEmpty { return }
    hasEnded = true
    Probe.asSender { inputs[input].complete(.finished) }
  }

  func fail(_ input: Int) {
    hasEnded = true
    hasFailed = true
    Probe.asSender { inputs[input].complete(.failure(Fault())) }
  }

  /// From here on, the subscription lives as long as what ``letGo()`` drops.
  func hold() { holder = probe.subscription.map { AnyCancellable($0) } }

  /// Drops the publisher, and what cancels when it is dropped.
  func letGo() {
    attach = nil
    probe.willCancel { holder = nil }
  }

  // MARK: Afterwards

  /// Has done what is due.
  func settle() {
    if cancellables.isEmpty { keep(connect?()) }
    jobs?.drain()
  }

  /// Plays on to the end, one after another.
  func playToTheEnd() {
    if scenario.demand.max != nil {
      // Whatever was asked for must come: there is more than enough.
      for _ in 0..<6 where !hasEnded { for input in inputs.indices { send(input) } }
      jobs?.drain()
    }
    checkDemand()
    checkLatest()
    for input in inputs.indices { inputs[input].complete(.finished) }
    jobs?.drain()
    for probe in probes where probe.completions == 0 { probe.request(.unlimited) }
    jobs?.drain()
  }

  /// Drops everything. After that nothing is alive, or something leaks.
  func takeDown() {
    for probe in probes { _ = probe.takeSubscription() }
    for cancellable in cancellables { cancellable.cancel() }
    cancellables = []
    attach = nil
    connect = nil
    latest = nil
    holder = nil
    probes = []
    atEnd = []
    sources = []
    inputs = []
    jobs?.drain()
    jobs?.drop()
    jobs = nil
  }

  func forgetProbes() { probes = [] }
}

/// What drives an upstream or a subject.
struct Input {
  let send: (Item) -> Void
  let complete: (Subscribers.Completion<Fault>) -> Void
}
