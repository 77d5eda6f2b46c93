import Foundation
import Streams
import StreamsExtras
import StreamsTesting

/// The streams of a row: `numbers`, and `others` behind a semicolon.
struct OutcomeInput {
  typealias Stream = MarblePublisher<String, TestFailure>

  let scheduler = VirtualScheduler.virtual
  let numbers, others: Stream
  private let texts: [String]

  init(_ input: String) throws {
    texts = input.components(separatedBy: "; ")
    numbers = try Marble(texts[0]).publisher(on: scheduler)
    others = try Marble(texts.count > 1 ? texts[1] : "").publisher(on: scheduler)
  }

  /// A child for each value, which sends the value twice.
  func child(_ value: String) -> Stream { try! Marble("\(value)--\(value)|").publisher(on: scheduler) }

  func drawing(_ make: (OutcomeInput) -> some Publisher<String, TestFailure>) -> String {
    scheduler.diagram(of: make(self))
  }

  /// How often `make` subscribes to `numbers`.
  func attempts(
    _ make: (AnyPublisher<String, TestFailure>, OutcomeInput) -> some Publisher<String, TestFailure>
  ) -> String {
    let count = Count()
    let counted = Deferred { [numbers] in
      count.value += 1
      return numbers
    }
    _ = scheduler.diagram(of: make(counted.eraseToAnyPublisher(), self))
    return "\(count.value) attempts"
  }
}

private final class Count {
  var value = 0
}

/// The rows' code, with the values that their diagrams need.
enum OutcomePrograms {
  static let all: [String: @Sendable (OutcomeInput) -> String] = [
    "numbers.retry(2)": { $0.attempts { numbers, _ in numbers.retry(2) } },
    "numbers.repeat(3)": { $0.attempts { numbers, _ in numbers.repeat(3) } },
    "numbers.retry(3, delay: .seconds(1), scheduler: scheduler)": { input in
      input.attempts { numbers, input in numbers.retry(3, delay: .seconds(1), scheduler: input.scheduler) }
    },
    "numbers.onTerminate {}": { _ in ends },
    "numbers.collect(.byTimeOrCount(scheduler, .seconds(1), 3))": { input in
      input.drawing { $0.numbers.collect(.byTimeOrCount($0.scheduler, .seconds(2), 3)).map { $0.joined() } }
    },
    "numbers.collect(.byTime(scheduler, .seconds(1)))": { input in
      input.drawing { $0.numbers.collect(.byTime($0.scheduler, .seconds(2))).map { $0.joined() } }
    },
    "numbers.throttle(for: .seconds(1), scheduler: scheduler, latest: true)": { input in
      input.drawing { $0.numbers.throttle(for: .seconds(3), scheduler: $0.scheduler, latest: true) }
    },
    "numbers.debounce(for: .seconds(1), scheduler: scheduler, flushesOnCompletion: true)": { input in
      input.drawing {
        $0.numbers.debounce(for: .seconds(2), scheduler: $0.scheduler, flushesOnCompletion: true)
      }
    },
    "numbers.sample(others)": { $0.drawing { $0.numbers.sample($0.others) } },
    "numbers.output(at: 3)": { $0.drawing { $0.numbers.output(at: 3) } },
    "numbers.prefix(while: { $0 < 3 }, behavior: .inclusive)": { input in
      input.drawing { $0.numbers.prefix(while: { $0 < "3" }, behavior: .inclusive) }
    },
    "numbers.enumerated()": { input in
      input.drawing { $0.numbers.enumerated().map { "\($0.0):\($0.1)" } }
    },
    "numbers.timeout(.seconds(1), scheduler: scheduler, other: others)": { input in
      input.drawing { $0.numbers.timeout(.seconds(2), scheduler: $0.scheduler, other: $0.others) }
    },
    "numbers.timeout(.seconds(1), scheduler: scheduler, customError: { Problem() })": { input in
      input.drawing {
        $0.numbers.timeout(.seconds(3), scheduler: $0.scheduler, customError: { TestFailure.scripted })
      }
    },
    "numbers.withLatestFrom(others)": { $0.drawing { $0.numbers.withLatestFrom($0.others) } },
    "numbers.withLatestFrom(others) { ($0, $1) }": { input in
      input.drawing { $0.numbers.withLatestFrom($0.others) { $0 + $1 } }
    },
    "others.withLatestFrom(numbers) { ($1, $0) }": { input in
      input.drawing { $0.others.withLatestFrom($0.numbers) { $1 + $0 } }
    },
    "numbers.catchAndReturn(0)": { input in
      input.drawing { $0.numbers.catchAndReturn("0").setFailureType(to: TestFailure.self) }
    },
    "numbers.switchIfEmpty(to: others)": { $0.drawing { $0.numbers.switchIfEmpty(to: $0.others) } },
    "numbers.flatMapLatest { _ in others }": { $0.drawing { $0.numbers.flatMapLatest($0.child) } },
    "numbers.flatMapFirst { _ in others }": { $0.drawing { $0.numbers.flatMapFirst($0.child) } },
    "numbers.concatMap { _ in others }": { $0.drawing { $0.numbers.concatMap($0.child) } },
    "numbers.flatMap(maxConcurrent: 2) { _ in others }": { input in
      input.drawing { $0.numbers.flatMap(maxConcurrent: 2, $0.child) }
    },
    "numbers.scan(into: 0) { $0 += $1 }": { input in
      input.drawing { $0.numbers.scan(into: 0) { $0 += Int($1) ?? 0 }.map { "\($0)" } }
    },
    "numbers.takeLast(3)": { $0.drawing { $0.numbers.takeLast(3) } },
    "numbers.pairwise()": { input in input.drawing { $0.numbers.pairwise().map { $0.0 + $0.1 } } },
    "numbers.removeAllDuplicates()": { $0.drawing { $0.numbers.removeAllDuplicates() } },
  ]

  /// How often `onTerminate` runs for each kind of end.
  private static var ends: String {
    func runs(_ end: (PassthroughSubject<Int, TestFailure>, AnyCancellable) -> Void) -> Int {
      let count = Count()
      let subject = PassthroughSubject<Int, TestFailure>()
      let subscription = subject.onTerminate { count.value += 1 }
        .sink { _ in
        } receiveValue: { _ in
        }
      end(subject, subscription)
      subscription.cancel()
      return count.value
    }

    let finished = runs { subject, _ in subject.send(completion: .finished) }
    let failed = runs { subject, _ in subject.send(completion: .failure(.scripted)) }
    let cancelled = runs { _, subscription in subscription.cancel() }
    return "finished \(finished), failed \(failed), cancelled \(cancelled)"
  }
}
