import Dispatch

extension DispatchSemaphore {
  /// Waits for so many signals.
  ///
  /// - Returns: False if one did not come in time.
  func comes(_ times: Int = 1, within seconds: Double = 20) -> Bool {
    let deadline = DispatchTime.now() + seconds
    return (0..<times).allSatisfy { _ in wait(timeout: deadline) == .success }
  }
}
