import Dispatch
import Foundation

/// The processes that run now. They are in groups of their own, so that what interrupts the tool does not
/// reach them.
enum Running {
  static let groups = Shared<Set<pid_t>>([])
  static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// From now on they end with the tool.
  static func endWithThis() -> [any DispatchSourceSignal] {
    signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        groups.withLock { groups in
          // A build has groups of its own in turn, and ends them if it is asked to.
          for group in groups { kill(-group, SIGINT) }
          if !groups.isEmpty { sleep(2) }
          for group in groups { kill(-group, SIGKILL) }
          exit(128 + number)
        }
      }
      source.resume()
      return source
    }
  }
}
