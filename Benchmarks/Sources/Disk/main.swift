import Foundation
import RawDisk
import StreamImages

// Disk: what entries of 20 KB cost in a DataCache, as a part of the speed of plain C that makes the same system calls.
//
//   Disk DIRECTORY [ENTRIES [ROUNDS]]
//
// Contenders take turns in each round. Before each measurement, all that is in memory is written to the disk. C works on
// one thread, one entry after the other. Ours is asked from several tasks at once, as a program does that loads images.

let words = CommandLine.arguments
guard words.count >= 2 else {
  print("usage: Disk DIRECTORY [ENTRIES [ROUNDS]]")
  exit(2)
}
let folder = URL(fileURLWithPath: words[1])
let total = words.count > 2 ? Int(words[2])! : 100_000
let roundCount = words.count > 3 ? Int(words[3])! : 5

// Three tenths are swept in each round, and stored anew in batches.
guard total > 0, total % 20_000 == 0 else {
  print("disk: the number of entries has to be a multiple of 20000")
  exit(2)
}

// The directory of C is the current one from here on.
guard raw_disk_enter(folder.appending(path: "raw").path) == 0 else {
  print("disk: \(folder.path) cannot be entered")
  exit(1)
}
let contest = try await Contest.held(in: folder.appending(path: "ours"), total: total, roundCount: roundCount)

let races = [contest.storing, contest.hits, contest.misses, contest.sweeping]
for race in races { print(race.description) }
let growth = Int(contest.sweepGrowth.median) >> 10
print(
  "disk: " + races.map { "\($0.name) \(rounded($0.ratio))" }.joined(separator: ", ")
    + ", a sweep +\(growth) KB")
