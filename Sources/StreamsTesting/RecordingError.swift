/// The reason why a recorder did not receive the expected events.
public enum RecordingError<Failure: Error>: Error {
  /// The stream completed, or the wait timed out, with fewer values.
  case notEnoughElements(expected: Int, received: Int)

  /// There was more than one value.
  case tooManyElements(received: Int)

  /// The wait timed out before the completion.
  case notCompleted

  /// The stream failed.
  case failed(Failure)
}

extension RecordingError: Equatable where Failure: Equatable {}
extension RecordingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notEnoughElements(let expected, let received): "\(received) of \(expected) values arrived"
    case .tooManyElements(let received): "\(received) values arrived instead of one"
    case .notCompleted: "the stream has not completed"
    case .failed(let failure): "the stream failed: \(failure)"
    }
  }
}
