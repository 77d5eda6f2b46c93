import Foundation

// Stress [SECONDS [SEED]]: mixed pipelines with real threads for so long, then figures. For the thread sanitizer:
// swift run --package-path Benchmarks --sanitize thread Stress 600

let seconds = CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 10
let seed = CommandLine.arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1

var lot = Lot(seed)
var rounds = 0
var events = 0
var complaints: [String] = []
let start = Date()
var resources: [Resources] = []

while -start.timeIntervalSinceNow < seconds, complaints.count < 10 {
  let pipeline = Pipeline.all.randomElement(using: &lot)!
  let (count, complaint) = pipeline.run()
  rounds += 1
  events += count
  if let complaint { complaints.append("\(pipeline.name), round \(rounds): \(complaint)") }
  if -start.timeIntervalSinceNow >= Double(resources.count) * seconds / 10 { resources.append(.now) }
}

for complaint in complaints { print(complaint) }
resources.append(.now)
// The first tenth is for what is made once.
let steady = resources.dropFirst()
let growth = (steady.last?.kilobytes ?? 0) - (steady.first?.kilobytes ?? 0)
let descriptors = (steady.last?.descriptors ?? 0) - (steady.first?.descriptors ?? 0)
let elapsed = -start.timeIntervalSinceNow
print(
  "stress: \(rounds) rounds, \(events) events, \(complaints.count) violations, memory \(growth) KB more"
    + " (\(Int(Double(growth) * 3600 / elapsed)) KB an hour), descriptors \(descriptors) more, \(Int(elapsed)) s"
)
exit(complaints.isEmpty && descriptors <= 0 ? 0 : 1)
