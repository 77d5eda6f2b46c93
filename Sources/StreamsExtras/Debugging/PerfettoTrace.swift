/// Writes a trace for Perfetto or Chrome while it is enabled.
///
/// ```swift
/// let trace = PerfettoTrace { FileHandle.standardError.write(Data($0.utf8)) }
/// trace.enable()
/// let sink = (1...3).publisher.filter { $0 > 1 }.sink { _ in }
/// trace.finish()
/// ```
///
/// Open the file at https://ui.perfetto.dev, or in `chrome://tracing`. Each subscription is a track with a slice for each
/// signal. Arrows lead from a request to the request that it causes, and from a value to its delivery on another thread.
/// Counters show values, drops, and values that wait. ``addSlice(_:track:start:duration:details:)`` adds other work.
///
/// The format is that of Chrome's JSON array. The text is written in parts as it arises, so a program that crashes leaves
/// a readable trace.
public final class PerfettoTrace: _Introspection, Sendable {
  private struct State {
    var encoder = PerfettoEncoder()
    var queues = TimelineRecords(capacity: 1)
    /// The text that is not written yet.
    var text = ""
    var byteCount = 0
    var leftOutCount = 0
    var isFinished = false

    mutating func takeText() -> String {
      defer { text = "" }
      return text
    }
  }

  private let state = Guarded(State())
  private let writer: TraceWriter
  private let limit: Int
  private let origin = (instant: ContinuousClock.now, time: EventClock.now)

  /// Creates a trace, which records once it is enabled.
  ///
  /// - Parameters:
  ///   - limit: The number of bytes after which events are left out.
  ///   - write: Receives the parts of the text, one at a time, on any thread. It must not use streams.
  public init(limit: Int = 64 << 20, write: @escaping @Sendable (String) -> Void) {
    self.limit = limit
    writer = TraceWriter(write)
    self.write { _ in "[\n" + PerfettoEncoder.header }
  }

  /// The number of events and added slices that were left out because the limit was reached.
  public var leftOutCount: Int { state.withLock { $0.leftOutCount } }

  /// Writes what has been recorded so far.
  public func flush() {
    write { state in state.text.isEmpty ? nil : state.takeText() }
  }

  /// Disables the trace, and writes the rest. Nothing is recorded afterwards.
  ///
  /// If another thread is writing a part, it also writes the rest, which may be after this method has returned.
  public func finish() {
    disable()
    write { state in
      guard !state.isFinished else { return nil }
      state.isFinished = true
      return state.takeText() + "\n]\n"
    }
  }

  /// Adds a slice that is no signal of a stream, for example a step of an image pipeline.
  ///
  /// ```swift
  /// let start = ContinuousClock.now
  /// let page = try await load()
  /// trace.addSlice("load", track: "pages", start: start, duration: start.duration(to: .now))
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the slice.
  ///   - track: The name of the track. Slices that overlap are below each other.
  ///   - start: The start.
  ///   - duration: The duration.
  ///   - details: Names and values that appear when the slice is selected.
  public func addSlice(
    _ name: String, track: String, start: ContinuousClock.Instant, duration: Duration,
    details: [String: String] = [:]
  ) {
    let time = Duration.nanoseconds(origin.time) + origin.instant.duration(to: start)
    record { $0.encoder.slice(name, track: track, start: time, duration: duration, details: details) }
  }

  private func record(_ encode: (inout State) -> String) {
    write { state in
      guard !state.isFinished else { return nil }
      guard state.byteCount < limit else {
        state.leftOutCount += 1
        return nil
      }
      let text = encode(&state)
      state.byteCount += text.utf8.count
      state.text += text
      return state.text.utf8.count > 32_768 ? state.takeText() : nil
    }
  }

  /// Writes the part that `take` returns. Its place among the parts is decided under the lock, and it is written without.
  private func write(_ take: (inout State) -> String?) {
    let isFirst = state.withLock { state in
      guard let part = take(&state) else { return false }
      return writer.enqueue(part)
    }
    if isFirst { writer.writeQueued() }
  }
}

extension PerfettoTrace: AttachmentObserver {
  package func observe(_ signal: Signal, on attachment: Attachment?) {
    let (time, thread, label) = (EventClock.now, EventClock.thread, EventClock.queueLabel)
    record { state in
      _ = state.queues.append(signal, attachment, time: time, thread: thread, queue: label)
      return state.queues.events.map { state.encoder.encode($0, isChild: attachment?.isChild ?? false) }
        .joined()
    }
  }
}

extension Timeline {
  /// The recorded events as a trace for Perfetto or Chrome. See ``PerfettoTrace``, which writes one as events arise.
  public var perfetto: String {
    var encoder = PerfettoEncoder()
    let children = childIdentifiers
    let body = events.map { event in
      encoder.encode(event, isChild: event.subscription.map { children.contains($0.id) } ?? false)
    }.joined()
    return "[\n" + PerfettoEncoder.header + body + "\n]\n"
  }
}

/// Calls a closure with one text after another, and without a lock.
private final class TraceWriter: DrainLoopOwner, Sendable {
  private let drainLoop = DrainLoop<String>()
  private let body: @Sendable (String) -> Void

  init(_ body: @escaping @Sendable (String) -> Void) { self.body = body }

  /// True if no thread is writing. Then the caller must call ``writeQueued()``.
  func enqueue(_ text: String) -> Bool { drainLoop.enqueue(text) }
  func writeQueued() { drainLoop.drainAndLeave(for: self) }
  func handle(_ text: String) { body(text) }
  func resume() { drainLoop.resume(for: self) }
  func cleanUp() {}
}

extension TraceWriter: Reflected {}
