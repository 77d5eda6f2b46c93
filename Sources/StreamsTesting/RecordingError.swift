/// Why a recorder did not get what a test waited for.
public enum RecordingError<Failure: Error>: Error {
  /// The stream ended, or time was up, and fewer values had come.
  case notEnoughElements(expected: Int, received: Int)

  /// More values came than the one that was expected.
  case tooManyElements(received: Int)

  /// Time was up, and the stream had not ended.
  case notCompleted

  /// The stream failed.
  case failed(Failure)
}

extension RecordingError: Equatable where Failure: Equatable {}
extension RecordingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notEnoughElements(let expected, let received): "\(received) of \(expected) values came"
    case .tooManyElements(let received): "\(received) values came instead of one"
    case .notCompleted: "the stream has not ended"
    case .failed(let failure): "the stream failed: \(failure)"
    }
  }
}
