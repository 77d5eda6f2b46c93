import Streams
import StreamsExtras

// What a recorded event takes: Scripts/benchmark timeline prints it. Values pass a subject, two operators and a sink.

/// Sends `count` values through a chain in sight of `tool`. Returns the nanoseconds, and the events if a timeline counts them.
func measure(_ count: Int, _ tool: Timeline?) -> (time: Double, events: Int) {
  let subject = PassthroughSubject<Int, Never>()
  tool?.enable()
  defer { tool?.disable() }
  var sum = 0
  let sink = subject.map { $0 + 1 }.filter { $0 > 0 }.sink { sum += $0 }
  let duration = ContinuousClock().measure {
    for value in 0..<count { subject.send(value) }
  }
  sink.cancel()
  precondition(sum > 0)
  return (duration / .nanoseconds(1), tool?.events.count ?? 0)
}

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
let plain = (0..<5).map { _ in measure(count, nil).time }.min() ?? 0
let recorded =
  (0..<5).map { _ in
    let (time, events) = measure(count, Timeline())
    return (time - plain) / Double(events)
  }.min() ?? 0
print("a value of the chain without a timeline: \(plain / Double(count)) ns")
print("an event with a timeline: \(recorded.rounded()) ns")
