/// Holds answers back until it is opened, and lets them all pass from then on.
package final class Gate: Sendable {
  let alarm: Alarm

  package init() throws { alarm = try Alarm() }

  package func open() { alarm.ring() }
}
