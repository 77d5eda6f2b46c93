import Foundation
import Streams
import StreamsExtras
import StreamsInspector

// What a recorded event takes. Values pass a subject, two operators and a sink: three subscriptions.

/// Sends `count` values through a chain in sight of `tool`. Returns the nanoseconds of the processor.
func measure(_ count: Int, _ tool: Timeline?) -> Double {
  let subject = PassthroughSubject<Int, Never>()
  tool?.enable()
  defer { tool?.disable() }
  var sum = 0
  let sink = subject.map { $0 + 1 }.filter { $0 > 0 }.sink { sum += $0 }
  let start = clock()
  for value in 0..<count { subject.send(value) }
  let duration = Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1e9
  sink.cancel()
  precondition(sum > 0)
  return duration
}

let count = 100_000
let plain = (0..<5).map { _ in measure(count, nil) }.min() ?? 0
let recorded = (0..<5).map { _ in measure(count, Timeline()) }.min() ?? 0
let bounded = (0..<5).map { _ in measure(count, Timeline(capacity: 10_000)) }.min() ?? 0
print("a value of the chain without a timeline: \((plain / Double(count)).rounded()) ns")
print("an event with a timeline: \(((recorded - plain) / Double(3 * count)).rounded()) ns")
print("an event with a timeline of 10,000 events: \(((bounded - plain) / Double(3 * count)).rounded()) ns")

let inspector = try StreamInspector.start()
let inspected = (0..<5).map { _ in measure(count, nil) }.min() ?? 0
inspector.stop()
print("an event with the inspector: \(((inspected - plain) / Double(3 * count)).rounded()) ns")
