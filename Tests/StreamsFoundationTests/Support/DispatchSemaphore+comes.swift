import Dispatch

extension DispatchSemaphore {
  /// Waits for so many signals. How long is a safety net: where many tests run at once, each may wait for the others.
  ///
  /// - Returns: False if one did not come in time.
  func comes(_ times: Int = 1, within seconds: Double = 600) -> Bool {
    let deadline = DispatchTime.now() + seconds
    return (0..<times).allSatisfy { _ in wait(timeout: deadline) == .success }
  }
}
