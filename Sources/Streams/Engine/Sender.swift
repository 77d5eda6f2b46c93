/// The right to send to an audience. When the last one who has it goes, the subscribers are let go of (law C21).
package final class Sender<Output, Failure: Error>: Sendable {
  package let audience: Audience<Output, Failure>

  package init(to audience: Audience<Output, Failure>) { self.audience = audience }

  deinit { audience.abandon() }
}
