import Streams
import StreamsExtras
import StreamsTesting

/// Where a diagram is played: upstreams that play marbles, an operator between them and what it sends, and a time
/// that moves only when the stage is told to. A column is a second.
final class Stage {
  /// One line of a drawing: what was sent from one subscription to its end.
  struct Lane: Equatable {
    var label: String
    /// The call in the box above the lane. Upstreams have none.
    var call: String?
    /// The column of the subscription.
    var start = 0
    /// What was sent in each column.
    var signals: [Int: [Marble.Signal]] = [:]
    /// The column of the cancellation. `nil` if the stream ended by itself, or goes on.
    var cancelled: Int?

    /// The last column in which something happened.
    var last: Int { max(signals.keys.max() ?? start, cancelled ?? start) }

    var hasEnded: Bool {
      cancelled != nil || signals.values.contains { $0.contains(.finished) || $0.contains(.failure) }
    }
  }

  static let columns = 30

  let scheduler = VirtualScheduler.virtual
  private let inputs: [(label: String, marble: Marble, publisher: MarblePublisher<String, TestFailure>)]
  private var outputs: [Lane] = []
  private var cancellables: [AnyCancellable] = []

  init(_ inputs: [(String, String)]) throws {
    let scheduler = scheduler
    self.inputs = try inputs.map { label, text in
      let marble = try Marble(text)
      return (label, marble, marble.publisher(on: scheduler))
    }
  }

  /// The upstream with a label.
  subscript(_ label: String) -> MarblePublisher<String, TestFailure> {
    inputs.first { $0.label == label }!.publisher
  }

  var column: Int { scheduler.now.elapsed.nanoseconds / 1_000_000_000 }

  /// Subscribes to `publisher` now, and draws what it sends in a lane of its own, below `call`.
  @discardableResult
  func show<Failure>(
    _ call: String?, _ publisher: some Publisher<String, Failure>, as label: String = "result"
  ) -> AnyCancellable {
    let lane = outputs.count
    outputs.append(Lane(label: label, call: call, start: column))
    // Cancelled below, at a column that the drawing shows, or at the end of the play.
    let sink = publisher.sink { [weak self] completion in
      if case .finished = completion { self?.note(.finished, lane) } else { self?.note(.failure, lane) }
    } receiveValue: { [weak self] value in
      self?.note(.value(value), lane)
    }
    let cancel = AnyCancellable { [weak self] in
      sink.cancel()
      self?.noteCancel(lane)
    }
    cancellables.append(cancel)
    return cancel
  }

  /// Runs `action` when the time has come to `column`.
  func at(_ column: Int, _ action: @escaping () -> Void) {
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(column)), action)
  }

  /// Keeps `cancellable` until the end of the play.
  func keep(_ cancellable: any Cancellable) { cancellables.append(AnyCancellable(cancellable)) }

  private func note(_ signal: Marble.Signal, _ lane: Int) {
    outputs[lane].signals[column, default: []].append(signal)
  }

  private func noteCancel(_ lane: Int) {
    if column < Self.columns && !outputs[lane].hasEnded { outputs[lane].cancelled = column }
  }

  /// Moves the time through all columns, and returns what was seen: the upstreams first.
  func play() -> [Lane] {
    scheduler.advance(by: .seconds(Self.columns))
    let lanes = inputs.flatMap { input in self.lanes(of: input.publisher, playing: input.marble, input.label)
    }
    cancellables = []
    return lanes + outputs
  }

  private func lanes(
    of publisher: MarblePublisher<String, TestFailure>, playing marble: Marble, _ label: String
  ) -> [Lane] {
    // Two operators beside each other subscribe twice to the same: one lane shows both.
    var found: [Lane] = []
    for subscription in publisher.subscriptions {
      let signs = Array(subscription)
      let start = signs.firstIndex(of: "^").map { $0 - (signs.contains("(") ? 1 : 0) } ?? 0
      let end = signs.firstIndex(of: "!").map { signs.contains("(") ? start : $0 }
      var lane = Lane(label: found.isEmpty ? label : "", start: start)
      for (column, signals) in marble.columns.enumerated() where !signals.isEmpty {
        if start + column <= end ?? Self.columns { lane.signals[start + column] = signals }
      }
      if let end, end < Self.columns, !lane.hasEnded { lane.cancelled = end }
      if found.last?.start != start { found.append(lane) }
    }
    return found
  }
}
