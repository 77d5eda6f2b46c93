import StreamImages

/// The call that failed and the code of its error, or nil.
func refusal(_ body: () throws(SystemError) -> Void) -> String? {
  do throws(SystemError) {
    try body()
    return nil
  } catch {
    return "\(error.operation) \(error.code)"
  }
}
