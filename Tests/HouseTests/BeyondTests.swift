import Foundation
import Testing

@Suite("the table of what goes beyond Combine")
struct BeyondTests {
  /// What it must have, in order.
  static let facilities = [
    "`withLatestFrom(_:resultSelector:)`, 1–3 others",
    "`combineLatest`, `zip`, `merge` of collections and `with:` others",
    "`zip` and `combineLatest` of five to eight",
    "`amb`",
    "`concat()`, `startWith`",
    "`flatMap(maxConcurrent:waiting:)`",
    "`concatMap`",
    "`flatMapLatest`, `switchMap`",
    "`flatMapFirst`, `exhaustMap`",
    "`flatMapSequential`, `concatMapEager`",
    "`flatMapDelayingErrors`, `mergeDelayingErrors`",
    "`sample(_:)`",
    "`switchIfEmpty(to:)`, `defaultIfEmpty`",
    "`ReplaySubject(bufferSize:)`, `maxAge:`",
    "`share(replay:scope:)`",
    "`refCount(minSubscribers:disconnectAfter:)`",
    "`share(replay: 0, scope: .whileConnected)`",
    "`PassthroughRelay`, `CurrentValueRelay`",
    "`ReplayRelay`",
    "`Property`, `MutableProperty`",
    "`retry(_:delay:scheduler:)`, `retry(_: RetryPolicy)`",
    "`retryWhen`",
    "`repeat(_:)`, `repeatWhen`",
    "`materialize`, `dematerialize`, `values()`, `failures()`",
    "`mapToResult`",
    "`ignoreFailure`",
    "`tryMap` and the other `try` operators, with typed throws",
    "`catch(_: fallbacks)`, `onErrorResume`, `catchAndReturn`",
    "`timeout(_:scheduler:other:)`",
    "`pairwise`, `nwise`",
    "`removeAllDuplicates`",
    "`removeDuplicates(at:)`, `removeDuplicates(on:)`",
    "`prefix(while:behavior:)`",
    "`prefix(duration:on:)`",
    "`drop(duration:on:)`, `suffix`, `takeLast`, `dropLast`",
    "`partition`",
    "`enumerated(initial:)`",
    "`mapToValue`, `mapToVoid`, `mapMany`, `filterMany`, `toggle`, `setOutputType`, `ignoreOutput(setOutputType:)`",
    "`scan(into:)`",
    "`withUnretained`",
    "`Publishers.Timer`, `timerPublisher(every:)`, `timerPublisher(after:)`",
    "`throttle(for:scheduler:reducing:)`",
    "`debounce(…, flushesOnCompletion:)`",
    "`collect(by:)`, `collect(until:)`",
    "`window(count:)`, `window(by:)`",
    "`groupBy(maxGroups:buffer:)`",
    "`prefix(during:)`, `take(during:)`",
    "`MorePublishers.Using`",
    "`CancelBag`, `SerialCancellable`",
    "`Lifetime`, `Lifetime.Token`",
    "`assign(to:on:ownership:)`, two and three targets",
    "`doFinally`, `onTerminate`",
    "`AsyncSequence.publisher`",
    "`values(buffering:)`, `AsyncStream(publisher)`",
    "`values(throwing:buffering:)`",
    "`asyncMap`, `tryAsyncMap`, `asyncCompactMap`, `asyncFlatMap`",
    "`Future(operation:)`, `MorePublishers.AsyncCall`",
    "`asyncSink`",
    "`AnyPublisher.create`, `Publishers.Create`",
    "`Publishers.unfold`, `repeating`, `range`",
    "`AnyPublisher.fromCallback`",
    "`onBackpressureBuffer`, `onBackpressureDrop`, `onBackpressureLatest`",
    "`limitRate`",
    "`AnyScheduler`, `AnySchedulerOf`",
    "`TestScheduler`",
    "`ImmediateSchedulerOf`, `DispatchQueue.immediate`",
    "`UnimplementedScheduler`",
    "`UIScheduler`",
    "`ClockScheduler`, `TaskScheduler`",
    "`scheduler.sleep`, `timer(interval:)`, `measure`",
    "`Marble`",
    "`steps()`",
    "`record()` and waiting for it",
    "`blocking(timeout:)`",
    "`debug(_:)`",
    "`checkpoint(_:)`",
    "`SubscriptionCounter`",
    "`Timeline`, `chainDescription`",
    "Mistakes that are found early",
  ]

  private struct Row {
    let name: String
    let cells: [String]
  }

  @Test("has every facility, in order")
  func complete() throws {
    #expect(try rows().map(\.name) == Self.facilities)
  }

  @Test("says of each what it does, who has it, how much it is wanted, and which test holds it")
  func cells() throws {
    let wrong = try rows().filter { row in
      row.cells.count != 5 || row.cells.contains("") || !["must", "should"].contains(row.cells[3])
    }

    #expect(wrong.map(\.name) == [])
  }

  @Test("names tests that there are")
  func tests() throws {
    let link = /\[(\w+)\]\(\.\.\/([^)]+)\): \*(.+)\*/

    let wrong = try rows().filter { row in
      guard let match = row.cells[4].wholeMatch(of: link), let file = TextFile(path: String(match.2)) else {
        return true
      }
      return !file.lines.contains { $0.contains("\"\(match.3)\"") }
    }

    #expect(wrong.map(\.name) == [])
  }

  private func rows() throws -> [Row] {
    try #require(TextFile(path: "Docs/beyond.md")).lines.compactMap { line in
      guard line.hasPrefix("| "), !line.hasPrefix("| Name ") else { return nil }
      let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
      return Row(name: cells[0], cells: cells)
    }
  }
}
