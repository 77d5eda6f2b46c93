internal import CThreads
internal import Synchronization

/// One thing that ``Publisher/debug(_:trim:fileID:line:to:)`` has seen.
public struct DebugEvent: Sendable, CustomStringConvertible {
  /// What the call was given to tell it from others.
  public let name: String
  /// Where the call is written.
  public let place: CallSite
  /// The number of the subscription, counted from one for each call of `debug`.
  public let subscription: Int
  /// The time since the subscription arrived.
  public let elapsed: Duration
  /// A number that is the same for everything on one thread.
  public let thread: UInt
  /// What happened: `value 1`, `request unlimited`, `finished`.
  public let signal: String

  /// `Module/File.swift:12 name #1 +0.003s thread 7: value 1`.
  public var description: String {
    let (seconds, attoseconds) = elapsed.components
    let thousandths = String(attoseconds / 1_000_000_000_000_000 + 1000).dropFirst()
    let label = name.isEmpty ? "" : " \(name)"
    return "\(place)\(label) #\(subscription) +\(seconds).\(thousandths)s thread \(thread): \(signal)"
  }
}

extension Publisher {
  /// Tells what happens, with the place where this is written, the time, and the thread.
  ///
  /// ```
  /// App/Search.swift:41 query #1 +0.000s thread 3: request unlimited
  /// App/Search.swift:41 query #1 +0.217s thread 5: value "swift"
  /// ```
  ///
  /// Everything passes unchanged. Several threads may tell at the same time.
  ///
  /// - Parameters:
  ///   - name: Told with each event.
  ///   - trim: How many characters of a value are told; all if `nil`.
  ///   - fileID: The file that is told; the one in which this is written.
  ///   - line: The line that is told.
  ///   - log: Where events go; they are printed if `nil`. It is called from within the stream.
  @_disfavoredOverload
  public func debug(
    _ name: String = "", trim: Int? = nil, fileID: String = #fileID, line: Int = #line,
    to log: ((DebugEvent) -> Void)? = nil
  ) -> MorePublishers.Debug<Self> {
    MorePublishers.Debug(
      upstream: self, name: name, place: CallSite(fileID: fileID, line: line), trim: trim, log: log)
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/debug(_:trim:fileID:line:to:)``.
  public struct Debug<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is watched.
    public let upstream: Upstream
    /// Told with each event.
    public let name: String
    /// Where the call is written.
    public let place: CallSite
    let trim: Int?
    let log: (DebugEvent) -> Void
    private let counter = Counter()

    init(
      upstream: Upstream, name: String, place: CallSite, trim: Int?, log: ((DebugEvent) -> Void)?
    ) {
      self.upstream = upstream
      self.name = name
      self.place = place
      self.trim = trim
      self.log = log ?? { Swift.print($0) }
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (name, place, log, start) = (name, place, log, ContinuousClock.now)
      let number = counter.next()
      let telling = Telling<Output, Failure>(trim: trim) { signal in
        log(
          DebugEvent(
            name: name, place: place, subscription: number, elapsed: start.duration(to: .now),
            thread: cthreads_current(), signal: signal))
      }
      upstream.subscribe(Watch(telling, to: subscriber))
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// Puts signals into words.
private struct Telling<Input, Failure: Error>: Watcher {
  static var name: String { "Debug" }

  let trim: Int?
  let tell: (String) -> Void

  func saw(subscription: any Subscription) { tell("subscription \(subscription)") }
  func saw(value: Input) { tell("value \(trimmed(String(reflecting: value)))") }
  func saw(answer: Subscribers.Demand) {
    if answer > .none { tell("request \(answer.words) in answer") }
  }
  func saw(completion: Subscribers.Completion<Failure>) { tell(completion.words) }
  func saw(request: Subscribers.Demand) { tell("request \(request.words)") }
  func sawCancel() { tell("cancel") }

  private func trimmed(_ words: String) -> String {
    guard let trim, words.count > trim else { return words }
    return words.prefix(trim) + "…"
  }
}

extension Subscribers.Demand {
  var words: String { max.map { "\($0)" } ?? "unlimited" }
}

extension Subscribers.Completion {
  var words: String {
    switch self {
    case .finished: "finished"
    case .failure(let error): "failure \(error)"
    }
  }
}

extension Counter: Reflected {}
