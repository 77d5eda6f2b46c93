import Dispatch
import Foundation

/// Runs the group that is named, as an app runs: with a main run loop, or, after `--main-queue`, as a program does whose `main`
/// is asynchronous: with nobody to run that loop. Without a name it lists the groups.
@main
struct Main {
  @MainActor static func main() {
    let hasLoop = !CommandLine.arguments.contains("--main-queue")
    guard let name = CommandLine.arguments.dropFirst().first(where: { !$0.hasPrefix("--") }) else {
      return groups.keys.sorted().forEach { print($0) }
    }
    guard let group = groups[name] else { fatalError("There is no group \(name).") }
    Task { @MainActor in
      await group()
      exit(0)
    }
    while hasLoop { RunLoop.main.run() }
    dispatchMain()
  }
}

/// Comes back when `start` has called what it is given.
@MainActor
func wait(until start: (@escaping @Sendable () -> Void) -> Void) async {
  await withCheckedContinuation { continuation in start { continuation.resume() } }
}
