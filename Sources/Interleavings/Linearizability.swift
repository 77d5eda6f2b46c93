internal import CInterleavings
internal import Testing

/// Runs operations of a type on several threads, and throws the first order of steps whose results no order of the whole
/// operations explains: the type is not linearizable.
///
/// Scenarios are drawn by lot, from `seed`, and each is explored as by ``explore(_:replay:_:run:after:)``. One that fails is
/// made smaller: operations are left out as long as it still fails on several threads.
///
/// ```swift
/// try exploreLinearizable(Stack(), model: [Int]()) {
///   $0.operation("push", 1...2) { stack, item in
///     stack.push(item)
///   } model: {
///     $0.append($1)
///   }
///   $0.operation("pop") {
///     $0.pop()
///   } model: {
///     $0.popLast()
///   }
/// }
/// ```
///
/// An operation that ended before another one began comes before it. Where an access took a value that was not the newest,
/// that is so only if something orders the two: a thread cannot know of an end that nobody told it of.
///
/// - Parameters:
///   - bounds: How far the search of each scenario goes.
///   - threads: How many threads there are.
///   - operations: How many operations each of them runs at most.
///   - scenarios: How many scenarios are drawn.
///   - seed: Which ones. The same ones for the same seed.
///   - make: Makes a new value for each schedule.
///   - model: What the value is like at first.
///   - declare: Adds the operations.
/// - Returns: How far the searches came, together.
/// - Throws: ``Counterexample``, ``ExplorationError`` if nothing could be explored, or an error of `make`.
@discardableResult
public func exploreLinearizable<State, Model>(
  _ make: @autoclosure () throws -> State, model: Model, _ bounds: Bounds = Bounds(time: .seconds(2)),
  threads: Int = 2,
  operations: Int = 2, scenarios: Int = 50, seed: UInt64 = 1,
  _ declare: (inout Operations<State, Model>) -> Void
) throws -> Exploration {
  var declared = Operations<State, Model>()
  declare(&declared)
  let groups = declared.groups.filter { !$0.isEmpty }
  guard !groups.isEmpty, threads > 0 else {
    throw ExplorationError.invalidScenario("it has no operations or no threads")
  }
  var lot = Lot(seed: seed)
  var whole = Exploration(bounds: bounds)
  whole.isExhausted = true
  for _ in 0..<scenarios {
    let plan = (0..<threads).map { _ in
      (0..<Int.random(in: 1...max(1, operations), using: &lot)).map { _ in
        groups.randomElement(using: &lot)!.randomElement(using: &lot)!
      }
    }
    do {
      whole.add(try explore(plan, make, model, bounds))
    } catch let found as Counterexample {
      throw try smallest(plan, found, make, model, bounds)
    }
  }
  return whole
}

/// The counterexample of the smallest plan that still has one; `found` is that of `plan`.
private func smallest<State, Model>(
  _ plan: [[Operations<State, Model>.Operation]], _ found: Counterexample, _ make: () throws -> State,
  _ model: Model,
  _ bounds: Bounds
) throws -> Counterexample {
  for thread in plan.indices {
    for index in plan[thread].indices {
      var smaller = plan
      smaller[thread].remove(at: index)
      smaller.removeAll { $0.isEmpty }
      guard smaller.count > 1 else { continue }
      do { _ = try explore(smaller, make, model, bounds) } catch let again as Counterexample {
        return try smallest(smaller, again, make, model, bounds)
      }
    }
  }
  var found = found
  if !found.summary.contains("No order of these operations") {
    let calls = plan.enumerated().map { "thread \($0 + 1) calls \($1.map(\.text).joined(separator: ", "))" }
    found.summary += " Meanwhile \(calls.joined(separator: "; "))."
  }
  Attachment.record(found.description, named: "counterexample.txt")
  return found
}

private func explore<State, Model>(
  _ plan: [[Operations<State, Model>.Operation]], _ make: () throws -> State, _ model: Model, _ bounds: Bounds
) throws -> Exploration {
  try explore(bounds, replay: nil, attaches: false) {
    Recorded(state: try make(), history: History<State, Model>(plan))
  } run: { scenario in
    for (thread, operations) in plan.enumerated() {
      scenario.thread { recorded in
        for (index, operation) in operations.enumerated() {
          recorded.history.begin(thread, index)
          let result = operation.run(recorded.state)
          recorded.history.end(thread, index, result)
        }
      }
    }
  } after: {
    try $0.history.check(model)
  }
}

private struct Recorded<State, Model> {
  let state: State
  let history: History<State, Model>
}

/// When operations ran, and what they returned.
private final class History<State, Model> {
  private struct Call {
    let operation: Operations<State, Model>.Operation
    var result: (any Equatable)?
    /// The calls that had ended when it began.
    var before: [Int] = []
    var step: UInt16 = 0
    var thread = 0
    var isEnded = false
    var endedBefore: [Int] = []
  }

  private var calls: [Call] = []
  private var numbers: [[Int]] = []

  init(_ plan: [[Operations<State, Model>.Operation]]) {
    for operations in plan {
      numbers.append(Array(calls.count..<(calls.count + operations.count)))
      calls += operations.map { Call(operation: $0) }
    }
  }

  func begin(_ thread: Int, _ index: Int) {
    unseen {
      let number = numbers[thread][index]
      for other in calls.indices where calls[other].isEnded {
        calls[number].endedBefore.append(other)
        if interleavings_knows(Int32(calls[other].thread), calls[other].step) {
          calls[number].before.append(other)
        }
      }
    }
  }

  func end(_ thread: Int, _ index: Int, _ result: any Equatable) {
    unseen {
      let number = numbers[thread][index]
      calls[number].result = result
      calls[number].thread = runningThread ?? -1
      calls[number].step = interleavings_step()
      calls[number].isEnded = true
    }
  }

  /// Throws if no order of the calls has their results.
  func check(_ model: Model) throws {
    if interleavings_stale() == 0 {
      for index in calls.indices { calls[index].before = calls[index].endedBefore }
    }
    if !isExplained(from: model, Set(calls.indices)) { throw NotLinearizable(calls: table) }
  }

  private func isExplained(from model: Model, _ left: Set<Int>) -> Bool {
    if left.isEmpty { return true }
    for number in left.sorted() where left.isDisjoint(with: calls[number].before) {
      var next = model
      let expected = calls[number].operation.model(&next)
      guard let result = calls[number].result, Self.areEqual(result, expected) else { continue }
      if isExplained(from: next, left.subtracting([number])) { return true }
    }
    return false
  }

  private static func areEqual<Result: Equatable>(_ result: any Equatable, _ expected: Result) -> Bool {
    (result as? Result) == expected
  }

  private var table: String {
    numbers.enumerated().map { thread, numbers in
      let texts = numbers.map { "\(calls[$0].operation.text) → \(calls[$0].result.map { "\($0)" } ?? "?")" }
      return "thread \(thread + 1): " + texts.joined(separator: ", ")
    }.joined(separator: "; ")
  }
}

/// No order of whole operations has these results.
struct NotLinearizable: Error, CustomStringConvertible {
  let calls: String

  var description: String { "No order of these operations, each as a whole, has their results: \(calls)" }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
private struct Lot: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
