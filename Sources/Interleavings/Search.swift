internal import CInterleavings
internal import Testing

/// A search, one schedule after another.
final class Search<State> {
  private let bounds: Bounds
  private let bodies: [Scenario<State>.Body]
  private let make: () throws -> State
  private let after: (State) throws -> Void
  private var exploration: Exploration
  private let failure = Failure()
  private let attaches: Bool

  init(
    bounds: Bounds, bodies: [Scenario<State>.Body], make: @escaping () throws -> State,
    attaches: Bool, after: @escaping (State) throws -> Void
  ) {
    self.attaches = attaches
    self.bounds = bounds
    self.bodies = bodies
    self.make = make
    self.after = after
    exploration = Exploration(bounds: bounds)
  }

  func run(replay: String?) throws -> Exploration {
    guard (1...Int(INTERLEAVINGS_THREADS)).contains(bodies.count) else {
      throw ExplorationError.invalidScenario(
        "it has \(bodies.count) threads and tasks, of 1 to \(INTERLEAVINGS_THREADS)")
    }
    if let version = Self.unknownSwift { throw ExplorationError.unavailable(version) }
    if let problem = interleavings_open() { throw ExplorationError.unavailable(String(cString: problem)) }
    defer { interleavings_close() }
    // Failed expectations are kept from being reported: the counterexample is, once.
    let failure = failure
    var result: Result<Void, any Error> = .success(())
    withKnownIssue("A schedule fails.", isIntermittent: true) {
      result = Result { try runAll(replay: replay) }
    } matching: {
      failure.text = failure.text ?? "\($0)"
      return true
    }
    do {
      try result.get()
    } catch let found as Counterexample {
      if attaches { Attachment.record(found.description, named: "counterexample.txt") }
      throw found
    }
    return exploration
  }

  /// What is done here depends on how the runtime of Swift does what it does.
  private static var unknownSwift: String? {
    #if compiler(>=6.4)
      System.environment("INTERLEAVINGS_ANY_SWIFT") == nil
        ? "this Swift is newer than 6.3, whose runtime it knows: set INTERLEAVINGS_ANY_SWIFT to try" : nil
    #else
      nil
    #endif
  }

  private func runAll(replay: String?) throws {
    // What is made once for the whole process comes into being.
    interleavings_search(bounds.limited(to: 0))
    _ = try play(records: false)
    if let replay {
      guard let schedule = Replay(replay) else { throw ExplorationError.invalidReplay(replay) }
      try self.replay(schedule)
      exploration.schedules = 1
      exploration.isReplay = true
    } else {
      try search()
      try checkThatSomethingWasSeen()
    }
  }

  private func search() throws {
    let end = ContinuousClock.now + bounds.time
    // Short counterexamples come first.
    for count in 0...max(0, bounds.both) {
      interleavings_search(bounds.limited(to: count))
      repeat {
        let problem = try play(records: false)
        if !interleavings_was_redundant() { exploration.schedules += 1 }
        if let problem {
          let schedule = Replay(bounds.limited(to: count))
          try replay(schedule)
          // What decides about it is no step of the schedule. It is a failure all the same.
          throw Counterexample(problem, schedule: schedule, schedules: exploration.schedules, names: names)
        }
        if exploration.schedules >= bounds.schedules || ContinuousClock.now > end { return }
      } while interleavings_advance()
      if !interleavings_was_limited() { break }
    }
    exploration.isExhausted = true
  }

  /// Runs a schedule again, and throws what it shows.
  private func replay(_ schedule: Replay) throws {
    schedule.begin()
    var problem = try play(records: true)
    if problem == nil, Replay(schedule.bounds).choices.count < schedule.choices.count {
      problem = .engine(
        INTERLEAVINGS_UNSTABLE, "the code has fewer choices than the schedule: it has changed since then", [])
    }
    if let problem {
      throw Counterexample(problem, schedule: schedule, schedules: exploration.schedules, names: names)
    }
  }

  private var names: [String] {
    var threads = 0, tasks = 0
    return bodies.map {
      switch $0 {
      case .thread: threads += 1; return "thread \(threads)"
      case .task: tasks += 1; return "task \(tasks)"
      case .cancellation(let number): return "cancels \(number + 1)"
      }
    }
  }

  // MARK: A schedule

  /// Runs the next schedule. Returns what is wrong with it.
  private func play(records: Bool) throws -> Problem? {
    interleavings_prepare(records)
    failure.text = nil
    let state = try make()
    let runs = zip(bodies, names).map { Run(body: $0, state: state, name: $1, failure) }
    for run in runs { run.add(to: runs) }
    interleavings_run()
    defer { withExtendedLifetime(runs) {} }
    if let problem = Problem.found { return problem }
    if let text = failure.text { return .expectation(text) }
    if let waiting = runs.firstIndex(where: { !$0.hasEnded }) { return .unending(waiting) }
    return check(state)
  }

  private func check(_ state: State) -> Problem? {
    do { try after(state) } catch { failure.text = failure.text ?? "\(error)" }
    return failure.text.map { .expectation("After all have ended: \($0)") }
  }

  /// An expectation that failed in this schedule.
  private final class Failure: @unchecked Sendable {  // one thread
    var text: String?

    /// Keeps it from being reported by itself.
    func catches(_ issue: Issue, in name: String) -> Bool {
      unseen { text = text ?? "In \(name): \(issue)" }
      return true
    }
  }

  private func checkThatSomethingWasSeen() throws {
    var addresses: UnsafePointer<UInt>?
    let count = interleavings_sites(&addresses)
    for index in 0..<count {
      let module = Symbols.module(of: addresses![index])
      if !module.hasPrefix("Interleavings") || module.hasSuffix("Tests") {
        exploration.places[module, default: 0] += 1
      }
    }
    if exploration.places.isEmpty { throw ExplorationError.notInstrumented }
  }

  /// A body, in one schedule.
  private final class Run: ThreadBody, @unchecked Sendable {  // one thread runs all of them
    let body: Scenario<State>.Body
    let state: State
    var hasEnded = false
    var task: Task<Void, Never>?
    var cancelled: Run?

    private let name: String
    private let failure: Failure

    init(body: Scenario<State>.Body, state: State, name: String, _ failure: Failure) {
      self.body = body
      self.state = state
      self.name = name
      self.failure = failure
    }

    func add(to runs: [Run]) {
      switch body {
      case .thread: addThread()
      case .cancellation(let number):
        cancelled = runs[number]
        addThread()
      case .task(let body):
        interleavings_capture(true)
        task = Task.detached {
          await withKnownIssue("A schedule fails.", isIntermittent: true) {
            await body(Unchecked(value: self.state))
          } matching: {
            self.failure.catches($0, in: self.name)
          }
          self.hasEnded = true
        }
        interleavings_capture(false)
      }
    }

    private func addThread() {
      _ = interleavings_add(
        { Unmanaged<ThreadBody>.fromOpaque($0!).takeUnretainedValue().run() },
        Unmanaged.passUnretained(self).toOpaque())
    }

    override func run() {
      switch body {
      case .thread(let body):
        withKnownIssue("A schedule fails.", isIntermittent: true) {
          body(state)
        } matching: {
          self.failure.catches($0, in: self.name)
        }
      case .cancellation: cancelled?.task?.cancel()
      case .task: break
      }
      hasEnded = true
    }
  }
}

/// What a thread of a schedule runs.
private class ThreadBody {
  func run() {}
}
