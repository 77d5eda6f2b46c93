/// Holds back responses until it is opened. After that, all pass.
package final class Gate: Sendable {
  let alarm: Alarm

  package init() throws { alarm = try Alarm() }

  package func open() { alarm.ring() }
}
