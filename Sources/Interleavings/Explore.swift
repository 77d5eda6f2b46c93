internal import CInterleavings
internal import Testing

/// What a search has found, if it has found nothing wrong.
public struct Exploration: Sendable, CustomStringConvertible {
  /// How many schedules ran, without those that differ from an earlier one only in the order of independent steps.
  public internal(set) var schedules = 0
  var isReplay = false
  /// Whether these were all within the bounds.
  public internal(set) var isExhausted = false
  /// How far the search went.
  public internal(set) var bounds: Bounds
  /// For each module, how many places in its code were seen to access memory.
  public internal(set) var places: [String: Int] = [:]

  /// Takes in another search.
  mutating func add(_ other: Exploration) {
    schedules += other.schedules
    isExhausted = isExhausted && other.isExhausted
    for (module, count) in other.places { places[module] = max(places[module] ?? 0, count) }
  }

  public var description: String {
    if isReplay { return "the schedule was repeated, and nothing is wrong" }
    let end =
      isExhausted
      ? "all with at most \(bounds.preemptions) preemptions and \(bounds.staleValues) stale values, \(bounds.both) together"
      : "stopped before the end of the search"
    let seen = places.sorted { $0.key < $1.key }.map { "\($0.value) in \($0.key)" }.joined(separator: ", ")
    return "\(schedules) schedules, \(end); accesses seen at \(seen.isEmpty ? "no place" : seen)"
  }
}

/// Runs threads and tasks in every order within `bounds`, also with older values that the memory model lets an atomic load
/// return, and throws the first order in which something goes wrong, such as a data race, a deadlock, a task that never ends,
/// a trap, a use of freed memory, or an expectation that fails.
///
/// ```swift
/// @Test func countsBoth() throws {
///   try explore {
///     Counter()
///   } run: {
///     $0.thread { $0.increment() }
///     $0.thread { $0.increment() }
///   } after: {
///     #expect($0.value == 2)
///   }
/// }
/// ```
///
/// The code under test, and the test, are compiled with `-Xfrontend -sanitize=thread`, and run without the sanitizer.
///
/// All threads run on the calling one, which is blocked meanwhile. Only one search runs at a time in a process. What happens in
/// Foundation, Dispatch or C is not seen; a thread that is started there is an error.
///
/// - Parameters:
///   - bounds: How far the search goes.
///   - replay: Repeats one schedule, as a ``Counterexample`` writes it, instead of a search.
///   - make: Makes the state of a schedule, before its threads begin.
///   - run: Adds the threads and tasks. It is called once.
///   - after: Checks the state, after they have ended.
/// - Returns: How far the search came.
/// - Throws: ``Counterexample``, ``ExplorationError`` if nothing could be explored, or an error of `make`.
@discardableResult
public func explore<State>(
  _ bounds: Bounds = Bounds(), replay: String? = nil, _ make: () throws -> State,
  run: (inout Scenario<State>) -> Void, after: (State) throws -> Void = { _ in }
) throws -> Exploration {
  try explore(bounds, replay: replay, attaches: true, make, run: run, after: after)
}

func explore<State>(
  _ bounds: Bounds, replay: String?, attaches: Bool, _ make: () throws -> State,
  run: (inout Scenario<State>) -> Void, after: (State) throws -> Void
) throws -> Exploration {
  var scenario = Scenario<State>()
  run(&scenario)
  return try withoutActuallyEscaping(make) { make in
    try withoutActuallyEscaping(after) { after in
      try Search(bounds: bounds, bodies: scenario.bodies, make: make, attaches: attaches, after: after).run(
        replay: replay)
    }
  }
}

/// Why nothing was explored.
public enum ExplorationError: Error, CustomStringConvertible {
  /// This process cannot be explored.
  case unavailable(String)
  /// No access to memory was seen.
  case notInstrumented
  /// The scenario has no threads, too many, or no operations.
  case invalidScenario(String)
  /// The text is not one that a ``Counterexample`` wrote.
  case invalidReplay(String)

  public var description: String {
    switch self {
    case .unavailable(let reason): "Nothing can be explored here: \(reason)."
    case .notInstrumented:
      """
      Nothing was explored: the code does not say what it accesses. Build it with
        swift test -Xswiftc -Xfrontend -Xswiftc -sanitize=thread
      or give its targets `swiftSettings: [.unsafeFlags(["-Xfrontend", "-sanitize=thread"])]`.
      """
    case .invalidScenario(let reason): "Nothing was explored: \(reason)."
    case .invalidReplay(let text): "“\(text)” is not a schedule."
    }
  }
}
