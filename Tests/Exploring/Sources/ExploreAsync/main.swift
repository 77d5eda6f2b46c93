internal import CShards
import Interleavings

// ExploreAsync [COUNT [SEED]]: so many seeds, from this one on; each plays one of the stories.

let count = CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) } ?? 20_000
let first = CommandLine.arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1
let jobs = SeededJobs.shared
let bridges = Bridge.all
var violations = 0

SeededJobs.install()
for seed in first..<(first + count) {
  let bridge = bridges[Int(seed % UInt64(bridges.count))]
  jobs.begin(seed: seed)
  let verdict = bridge.begin(jobs)
  jobs.drain()
  if let words = verdict() ?? Explorer.shared.violation {
    print("\(bridge.name): \(words), seed \(seed)")
    violations += 1
    if violations == 10 { break }
  }
}
print(
  "explored \(count) seeds of \(bridges.count) bridges, \(jobs.runs) jobs, \(jobs.interruptions) interruptions,"
    + " \(violations) violations")
cshards_exit(violations == 0 ? 0 : 1)
