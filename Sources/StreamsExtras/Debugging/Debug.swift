internal import Synchronization

/// An event that ``Streams/Publisher/debug(_:trim:fileID:line:to:)`` reports.
public struct DebugEvent: Sendable, CustomStringConvertible {
  /// The name passed to `debug`.
  public let name: String
  /// The place of the call.
  public let place: CallSite
  /// The number of the subscription, counted from one for each call of `debug`.
  public let subscription: Int
  /// The time since `debug`, or another tool, first used the clock. It is comparable between subscriptions.
  public let elapsed: Duration
  /// A short number of the thread. The main thread has number 1.
  public let thread: Int
  /// The signal, such as `value 1`, `request unlimited`, `drop 2 by PassthroughSubject: no demand` or `finished`.
  public let signal: String

  /// A text such as `Module/File.swift:12 name #1 +0.003s thread 7: value 1`.
  public var description: String {
    let label = name.isEmpty ? "" : " \(name)"
    return "\(place)\(label) #\(subscription) +\(elapsed.thousandths)s thread \(thread): \(signal)"
  }
}

extension Publisher {
  /// Reports every signal with the place of the call, the time and the thread.
  ///
  /// ```
  /// App/Search.swift:41 query #1 +0.000s thread 3: request unlimited
  /// App/Search.swift:41 query #1 +0.217s thread 5: value "swift"
  /// ```
  ///
  /// All signals pass unchanged. Values that are dropped above this place are reported with the reason, as far as
  /// ``handleDrops(_:)`` finds them. Events can be reported from several threads at the same time.
  /// <doc:/Guides/debugging> compares this with other tools.
  ///
  /// - Parameters:
  ///   - name: A name for the events.
  ///   - trim: The maximum number of characters to report of a value. `nil` reports all.
  ///   - fileID: The file to report. Defaults to the file of the call.
  ///   - line: The line to report. Defaults to the line of the call.
  ///   - log: Receives the events, synchronously. `nil` prints them.
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
  /// The publisher returned by ``Streams/Publisher/debug(_:trim:fileID:line:to:)``.
  public struct Debug<Upstream: Publisher>: Publisher, LabellingPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose signals are reported.
    public let upstream: Upstream
    /// The name of the events.
    public let name: String
    /// The place of the call.
    public let place: CallSite
    let trim: Int?
    let log: (DebugEvent) -> Void
    private let counter = Counter()

    package var label: StreamLabel { StreamLabel(name, fileID: place.fileID, line: place.line) }

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
      let (name, place, log) = (name, place, log)
      let number = counter.next()
      let telling = Telling<Output, Failure>(trim: trim) { signal in
        log(
          DebugEvent(
            name: name, place: place, subscription: number, elapsed: .nanoseconds(EventClock.now),
            thread: EventClock.thread, signal: signal))
      }
      upstream.subscribe(TapSubscription(telling, to: subscriber))
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// Puts signals into words.
private struct Telling<Input, Failure: Error>: Tap {
  static var name: String { "Debug" }

  let trim: Int?
  let tell: (String) -> Void
  private let watch = DropWatchHolder()

  init(trim: Int?, tell: @escaping (String) -> Void) {
    self.trim = trim
    self.tell = tell
  }

  func saw(subscription: any Subscription) {
    tell("subscription \(subscription)")
    watch.begin(above: subscription) { [trim, tell] drop in  // not the watch itself
      tell(
        "drop \(String(reflecting: drop.value).trimmed(to: trim)) by \(drop.name): \(drop.reason.rawValue)")
    }
  }

  func saw(value: Input) { tell("value \(String(reflecting: value).trimmed(to: trim))") }
  func saw(answer: Subscribers.Demand) {
    if answer > .none { tell("request \(answer.words) in answer") }
  }
  func saw(completion: Subscribers.Completion<Failure>) { tell(completion.words) }
  func saw(request: Subscribers.Demand) { tell("request \(request.words)") }
  func sawCancel() { tell("cancel") }
}

extension String {
  /// At most `count` characters, and a mark if there are more.
  func trimmed(to maximum: Int?) -> String {
    guard let maximum, count > maximum else { return self }
    return prefix(maximum) + "…"
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
