internal import LoopbackSockets

/// Holds back responses until it is opened. After that, all pass.
package final class Gate: Sendable {
  let alarm: Alarm

  package init() throws { alarm = try Alarm() }

  package func open() { alarm.ring() }

  /// Blocks the thread until it is open.
  package func wait() { alarm.wait() }
}

/// The gate, for modules that also import an engine of the same name: before Swift 6.3, nothing else tells them apart.
package typealias ResponseGate = Gate
