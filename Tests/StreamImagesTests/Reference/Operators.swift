import Foundation
import Streams

/// The code in the comments of the reference: it compiles, line by line. Nothing is run.
private struct OperatorsInTheReference {
  func appendCode() async throws {
    _ =
      [1, 2].publisher.append([3].publisher).sink { print($0) }  // 1 2 3
  }

  func combineLatestCode() async throws {
    let a = CurrentValueSubject<Int, Never>(1)
    let b = PassthroughSubject<Int, Never>()
    let sink = a.combineLatest(b).sink { print($0) }
    b.send(10)  // (1, 10)
    sink.cancel()
  }

  func mergeCode() async throws {
    let a = PassthroughSubject<Int, Never>()
    let b = PassthroughSubject<Int, Never>()
    let sink = a.merge(with: b).sink { print($0) }
    a.send(1)  // 1
    b.send(2)  // 2
    sink.cancel()
  }

  func zipCode() async throws {
    _ =
      [1, 2, 3].publisher.zip(["a", "b"].publisher).sink { print($0) }  // (1, "a") (2, "b")
  }

  func catchCode() async throws {
    _ =
      Fail<Int, URLError>(error: URLError(.timedOut)).catch { _ in Just(0) }.sink { print($0) }  // 0
  }

  func replaceErrorCode() async throws {
    _ =
      Fail<Int, URLError>(error: URLError(.timedOut)).replaceError(with: 0).sink { print($0) }  // 0
  }

  func dropCode() async throws {
    _ =
      [1, 2, 3].publisher.dropFirst().sink { print($0) }  // 2 3
  }

  func dropWhileCode() async throws {
    _ =
      [1, 2, 9, 1].publisher.drop { $0 < 5 }.sink { print($0) }  // 9 1
  }

  func filterCode() async throws {
    _ =
      (1...6).publisher.filter { $0.isMultiple(of: 2) }.sink { print($0) }  // 2 4 6
  }

  func outputCode() async throws {
    _ =
      (1...).publisher.prefix(3).sink { print($0) }  // 1 2 3
  }

  func prefixWhileCode() async throws {
    _ =
      (1...).publisher.prefix { $0 * $0 < 20 }.sink { print($0) }  // 1 2 3 4
  }

  func removeDuplicatesCode() async throws {
    _ =
      [1, 1, 2, 2, 1].publisher.removeDuplicates().sink { print($0) }  // 1 2 1
  }

  func flatMapCode() async throws {
    _ =
      [1, 2].publisher.flatMap { [$0, $0 * 10].publisher }.sink { print($0) }  // 1 10 2 20
  }

  func switchToLatestCode() async throws {
    let searches = PassthroughSubject<Just<String>, Never>()
    let sink = searches.switchToLatest().sink { print($0) }
    searches.send(Just("a"))  // a
    sink.cancel()
  }

  func collectCode() async throws {
    _ =
      [1, 2].publisher.collect().sink { print($0) }  // [1, 2]
  }

  func collectByCountCode() async throws {
    _ =
      (1...5).publisher.collect(2).sink { print($0) }  // [1, 2] [3, 4] [5]
  }

  func reduceCode() async throws {
    _ =
      [1, 2, 3].publisher.reduce(0, +).sink { print($0) }  // 6
  }

  func compactMapCode() async throws {
    _ =
      ["1", "x", "3"].publisher.compactMap { Int($0) }.sink { print($0) }  // 1 3
  }

  func mapCode() async throws {
    _ =
      [1, 2, 3].publisher.map { $0 * 10 }.sink { print($0) }  // 10 20 30
  }

  func mapKeyPathCode() async throws {
    _ =
      ["a", "bc"].publisher.map(\.count).sink { print($0) }  // 1 2
  }

  func replaceNilCode() async throws {
    _ =
      Just<Int?>(nil).replaceNil(with: 0).sink { print($0) }  // 0
  }

  func scanCode() async throws {
    _ =
      [1, 2, 3].publisher.scan(10) { $0 + $1 }.sink { print($0) }  // 11 13 16
  }
}
