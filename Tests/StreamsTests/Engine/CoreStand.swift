import Streams
import StreamsTesting

/// An ``OperatorCore`` with a recorder below it, and a journal of when values come and when they are taken.
final class CoreStand {
  typealias Core = OperatorCore<Recorder<Int, Problem>>

  let journal = Journal()
  let recorder: Recorder<Int, Problem>
  let core: Core
  /// Called inside a delivery.
  var onValue: (Int) -> Void = { _ in }

  init(
    demand: Subscribers.Demand = .unlimited, answering more: Subscribers.Demand = .none,
    latestFirst: Bool = false
  ) {
    recorder = Recorder(demand: demand, answering: more)
    core = Core("Test", cancelOrder: latestFirst ? .latestFirst : .firstFirst, to: recorder)
    recorder.onValue = { [weak self] _, value in
      self?.journal.note("value \(value)")
      self?.onValue(value)
      self?.journal.note("taken \(value)")
    }
    recorder.receive(subscription: core)
  }

  var values: [Int] { recorder.values }
  var lines: [String] { journal.lines }

  /// Emits `values` inside the drain loop.
  func emit(_ values: Int...) {
    core.perform { [core] in for value in values { core.emit(value) } }
  }

  /// Subscribes to `script`, and emits its values.
  func join(_ script: Script<Int, Problem>, _ handle: UpstreamHandle = UpstreamHandle(requesting: .unlimited))
  {
    core.perform { [core, journal] in
      core.subscribe(to: script, handle) { [unowned core] value in
        core.emit(value)
      } onCompletion: { _ in
        journal.note("\(script.name) ended")
      }
    }
  }

  /// The same, as the primary upstream.
  func lead(_ script: Script<Int, Problem>, _ handle: UpstreamHandle = UpstreamHandle()) {
    core.perform { [core, journal] in
      core.forward(script, handle) { _ in journal.note("\(script.name) ended") }
    }
  }
}
