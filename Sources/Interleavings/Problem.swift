internal import CInterleavings

/// What is wrong with a schedule.
enum Problem {
  case engine(interleavings_failure, String, [interleavings_event])
  /// The task of this number waits for ever.
  case unending(Int)
  case expectation(String)

  /// What the engine has found in the schedule that ran last.
  static var found: Problem? {
    let result = interleavings_result()
    guard result != INTERLEAVINGS_NONE else { return nil }
    let message = interleavings_message().map { String(cString: $0) } ?? ""
    let culprits = interleavings_culprits()!
    return .engine(result, message, [culprits[0], culprits[1]])
  }
}
