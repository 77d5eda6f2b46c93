/// The reason why a recorder did not receive the expected events.
public enum RecordingError<Failure: Error>: Error {
  /// There were fewer values. `waited` is the limit of the wait, and `nil` if the stream has completed.
  case notEnoughElements(expected: Int, received: Int, waited: Duration? = nil)

  /// There was more than one value.
  case tooManyElements(received: Int)

  /// There was no completion when the wait ended. `waited` is its limit.
  case notCompleted(waited: Duration)

  /// The stream failed.
  case failed(Failure)
}

extension RecordingError: Equatable where Failure: Equatable {}
extension RecordingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notEnoughElements(let expected, let received, let limit):
      "\(received) of \(expected) values arrived" + (limit.map { " within \($0)" } ?? " before the end")
    case .tooManyElements(let received): "\(received) values arrived instead of one"
    case .notCompleted(let limit): "the stream has not completed within \(limit)"
    case .failed(let failure): "the stream failed: \(failure)"
    }
  }
}
