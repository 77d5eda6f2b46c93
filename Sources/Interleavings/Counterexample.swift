internal import CInterleavings

/// An order of steps in which something goes wrong.
public struct Counterexample: Error, CustomStringConvertible, Sendable {
  /// What is wrong.
  public internal(set) var summary: String
  /// The steps that matter, in columns of threads and tasks.
  public let steps: String
  /// The schedule, for `replay`.
  public let replay: String
  /// The number of this schedule in its search, counted from one. Zero for a replay.
  public let schedules: Int

  init(_ problem: Problem, schedule: Replay, schedules: Int, names: [String]) {
    let report = Report(problem, names: names)
    summary = report.summary
    steps = report.table
    replay = schedule.description
    self.schedules = schedules
  }

  public var description: String {
    """
    \(summary)

    \(steps)
    \(Symbols.tool == nil ? "\nNo places in the sources: llvm-symbolizer is not on the PATH. Debian's package llvm has it.\n" : "")
    \(schedules > 0 ? "Found in schedule \(schedules). " : "")To run it again: explore(replay: "\(replay)")
    """
  }
}
