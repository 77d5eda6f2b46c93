internal import CInterleavings

/// The threads and tasks that are explored together.
///
/// Each body gets the state that was made for the schedule that runs.
public struct Scenario<State> {
  enum Body {
    case thread((State) -> Void)
    case task(@Sendable (Unchecked<State>) async -> Void)
    case cancellation(Int)
  }

  var bodies: [Body] = []

  /// A task of a scenario, to be cancelled.
  public struct TaskReference: Sendable {
    let number: Int
  }

  /// Adds a thread.
  public mutating func thread(_ body: @escaping (State) -> Void) {
    bodies.append(.thread(body))
  }

  /// Adds a task. It must end, in each schedule.
  @discardableResult
  public mutating func task(_ body: @escaping @Sendable (State) async -> Void) -> TaskReference {
    bodies.append(.task { await body($0.value) })
    return TaskReference(number: bodies.count - 1)
  }

  /// Adds a thread that cancels `task`.
  public mutating func cancels(_ task: TaskReference) {
    bodies.append(.cancellation(task.number))
  }
}

/// Goes to a task, although its type is not known to be sendable.
struct Unchecked<Value>: @unchecked Sendable {  // all tasks of a schedule run on one thread of the system
  let value: Value
}
