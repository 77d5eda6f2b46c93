import Dispatch
import LoopbackServer
import StreamImages
import Studio

extension Recipe {
  static let retry = Recipe("retry", "again, after longer and longer waits, what may pass") { kitchen in
    let busy = Reply.status(503)
    let url = kitchen.serve("flaky.png", busy, busy, try kitchen.reply(1))
    // Part of each wait is left to chance by default, so that not all clients come back at the same moment.
    let policy = ImageRetryPolicy(maximumRetries: 3, initialDelay: .milliseconds(10), jitter: 0)

    try await kitchen.pipeline.imagePublisher(with: url)
      .retryImage(policy, on: DispatchQueue.main)
      .run { response in kitchen.say("\(response.image.size) after \(kitchen.orders.count) requests") }

    // What does not pass is not tried again.
    do {
      try await kitchen.pipeline.imagePublisher(with: kitchen.missing)
        .retryImage(policy, on: DispatchQueue.main)
        .run { _ in }
    } catch {
      kitchen.say("what is missing: asked for \(kitchen.orders.count { $0 == "missing.png" }) time")
    }
  }
}
