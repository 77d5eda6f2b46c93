internal import Streams
import StreamsExtras

/// What a model keeps of its upstreams and, if it has only one, of its downstream.
public struct Ledger {
  struct Entry {
    let source: Int
    /// `nil` if the model does not say.
    var asked: Subscribers.Demand? = Subscribers.Demand.none
    var isCancelled = false
    var hasEnded = false

    var isLive: Bool { !isCancelled && !hasEnded }
  }

  /// What downstream still waits for, and all it ever asked for.
  var demand = Subscribers.Demand.none
  var demanded = Subscribers.Demand.none
  var isOver = false
  var lines: [Entry] = []
  /// The sources that are to be subscribed to now.
  private var awaited: [Int] = []
  private var unexpected: Int?
  /// The present time.
  var now = 0

  public init() {}

  /// Notes what every model notes. The answer is false if the stimulus is of no interest: the stream is over.
  mutating func note(_ stimulus: Stimulus) -> Bool {
    switch stimulus {
    case .opened(let source):
      lines.append(Entry(source: source))
      if let place = awaited.firstIndex(of: source) { awaited.remove(at: place) } else { unexpected = source }
      if isOver { lines[lines.count - 1].isCancelled = true }
    case .ended(let line, _): lines[line].hasEnded = true
    case .asked(_, let more), .answered(_, let more):
      guard !isOver else { return false }
      demand += more
      demanded += more
    case .cancelled: stop()
    case .joined, .value, .arrived, .returned, .moving, .rested, .settled: break
    }
    return !isOver
  }

  mutating func subscribe(to source: Int) { awaited.append(source) }

  /// Does not subscribe after all.
  mutating func unsubscribe() { awaited = [] }

  mutating func ask(_ line: Int, for more: Subscribers.Demand) {
    if line < lines.count, lines[line].isLive { lines[line].asked = lines[line].asked.map { $0 + more } }
  }

  mutating func askAll(for more: Subscribers.Demand) {
    for line in lines.indices { ask(line, for: more) }
  }

  mutating func cancel(_ line: Int) {
    if lines[line].isLive { lines[line].isCancelled = true }
  }

  /// Ends everything.
  mutating func stop() {
    isOver = true
    for line in lines.indices { cancel(line) }
  }

  /// Takes one value off the demand.
  mutating func send(_ value: [Int]) -> Output {
    demand -= 1
    return .value(0, value)
  }

  mutating func end(_ ending: Ending) -> Output {
    stop()
    return .ending(0, ending)
  }

  /// In what the upstreams were asked otherwise than here.
  func difference(from actual: [Line]) -> String? {
    if let unexpected { return "source \(unexpected) was subscribed to, by the model not" }
    if let source = awaited.first, !isOver { return "the model subscribes to source \(source)" }
    for (number, (entry, line)) in zip(lines, actual).enumerated() {
      let cancellations = entry.isCancelled ? 1 : 0
      if line.cancellations != cancellations {
        return "line \(number) was cancelled \(line.cancellations) times, by the model \(cancellations) times"
      }
      if entry.isLive, let asked = entry.asked, asked != line.asked {
        return "line \(number) was asked for \(line.asked), by the model for \(asked)"
      }
    }
    return nil
  }
}
