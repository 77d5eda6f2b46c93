internal import CInterleavings

/// Runs `body`, whose accesses to variables are not checked: for what a test notes down, and its code under test does not have.
///
/// Atomics and locks in it are seen as everywhere.
public func unseen<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  interleavings_ignore(1)
  defer { interleavings_ignore(-1) }
  return try body()
}

/// Which thread or task of the scenario runs, in the order in which they were added. `nil` outside of a schedule.
public var runningThread: Int? {
  let number = Int(interleavings_running())
  return number < 0 ? nil : number
}
