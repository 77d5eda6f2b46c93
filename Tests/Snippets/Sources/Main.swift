import Foundation

/// Runs the group that is named, as an app runs: with a main run loop. Without a name it lists the groups.
@main
struct Main {
  @MainActor static func main() {
    guard let name = CommandLine.arguments.dropFirst().first else {
      return groups.keys.sorted().forEach { print($0) }
    }
    guard let group = groups[name] else { fatalError("There is no group \(name).") }
    Task { @MainActor in
      await group()
      exit(0)
    }
    while true { RunLoop.main.run() }
  }
}

/// Comes back when `start` has called what it is given.
@MainActor
func wait(until start: (@escaping @Sendable () -> Void) -> Void) async {
  await withCheckedContinuation { continuation in start { continuation.resume() } }
}
