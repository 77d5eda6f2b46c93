extension Publisher {
  /// Prints all signals.
  ///
  /// ```swift
  /// let cancellable = [1].publisher.print("numbers").sink { _ in }
  /// // Prints:
  /// // numbers: receive subscription: ([1])
  /// // numbers: request unlimited
  /// // numbers: receive value: (1)
  /// // numbers: receive finished
  /// ```
  ///
  /// Demand that the downstream returns for a value is printed after the value. Requests and cancellations after the end
  /// are printed, too, although they have no effect. A value that is lost above this place for
  /// lack of demand or room is printed with the reason, for example
  /// `numbers: drop value: (2) by PassthroughSubject: no demand`.
  ///
  /// <doc:/Guides/debugging> compares this with other tools.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of each line, followed by a colon unless it is empty.
  ///   - stream: Receives the lines, one at a time. `nil` prints them to the standard output.
  public func print(
    _ prefix: String = "", to stream: (any TextOutputStream)? = nil
  ) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/print(_:to:)``.
  public struct Print<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The observed publisher.
    public let upstream: Upstream
    /// The beginning of each line.
    public let prefix: String
    /// Receives the lines. `nil` prints them to the standard output.
    public let stream: (any TextOutputStream)?

    /// Creates the publisher that `upstream.print(prefix, to: stream)` returns.
    public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(TapSubscription(Printer(prefix: prefix, to: stream), to: subscriber))
    }
  }
}

@usableFromInline
struct Printer<Input, Failure: Error>: Tap {
  @inlinable static var name: String { "Print" }

  private let paper: Paper
  private let drops = DropWatchHolder()

  @usableFromInline
  init(prefix: String, to stream: (any TextOutputStream)?) { paper = Paper(prefix, stream) }

  @usableFromInline
  func saw(subscription: any Subscription) {
    paper.write("receive subscription: (\(subscription))")
    drops.begin(above: subscription) { [paper] drop in
      paper.write("drop value: (\(drop.value)) by \(drop.name): \(drop.reason.rawValue)")
    }
  }

  @usableFromInline
  func saw(value: Input) { paper.write("receive value: (\(value))") }

  @usableFromInline
  func saw(answer: Subscribers.Demand) {
    if answer > .none { paper.write("request \(answer.words) (synchronous)") }
  }

  @usableFromInline
  func saw(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: paper.write("receive finished")
    case .failure(let error): paper.write("receive error: (\(error))")
    }
  }

  @usableFromInline
  func saw(request: Subscribers.Demand) { paper.write(request) }

  @usableFromInline
  func sawCancel() { paper.write(nil) }

  @usableFromInline
  var lateHandler: ((Subscribers.Demand?) -> Void)? { paper.write }
}

/// The destination of lines. The stream is the user's code: it runs inside a drain loop, so that lines stay whole and no
/// lock is held.
private final class Paper: DrainLoopOwner {
  private let prefix: String
  private let drainLoop = DrainLoop<String>()
  @exclusivity(unchecked)  // inside the drain loop only
  private var stream: (any TextOutputStream)?

  init(_ prefix: String, _ stream: (any TextOutputStream)?) {
    self.prefix = prefix.isEmpty ? "" : prefix + ": "
    self.stream = stream
  }

  /// A line that is written while another one is, on the same thread, too, follows it.
  func write(_ text: String) {
    let line = prefix + text
    switch drainLoop.enter() {
    case .entered:
      handle(line)
      drainLoop.drainAndLeave(for: self)
    case .nested: _ = drainLoop.enqueue(line)
    case .busy: if drainLoop.enqueueValue(line) { drainLoop.drainAndLeave(for: self) }
    }
  }

  /// Writes a request, or a cancellation.
  func write(_ request: Subscribers.Demand?) {
    write(request.map { "request \($0.words)" } ?? "receive cancel")
  }

  func resume() { drainLoop.resume(for: self) }

  func cleanUp() {}

  func handle(_ line: String) {
    guard var stream else { return Swift.print(line) }
    stream.write(line + "\n")
    self.stream = stream
  }
}

extension Paper: Reflected {}

extension Subscribers.Demand {
  fileprivate var words: String { max.map { "max: (\($0))" } ?? "unlimited" }
}
