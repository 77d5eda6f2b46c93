import Streams
import StreamsTesting

/// All arrays of at most `count` elements, each 0, 1 or 2.
func smallArrays(_ count: Int = 4) -> [[Int]] {
  var all: [[Int]] = [[]]
  var longest = all
  for _ in 0..<count {
    longest = longest.flatMap { array in (0...2).map { array + [$0] } }
    all += longest
  }
  return all
}

/// The ways of asking: all at once, one by one through answers, and one by one through requests.
enum Asking: CaseIterable {
  case atOnce, byAnswer, byRequest

  /// The values that come, and how it ends.
  func record<P: Publisher>(_ publisher: P) -> Recorder<P.Output, P.Failure> {
    switch self {
    case .atOnce: return publisher.record()
    case .byAnswer: return publisher.record(demand: .max(1)) { $0.answer = { _ in .max(1) } }
    case .byRequest:
      return publisher.record(demand: .max(1)) { $0.onValue = { recorder, _ in recorder.request(.max(1)) } }
    }
  }
}
