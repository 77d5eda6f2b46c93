import Dispatch
import StreamImages
import StreamsTesting
import Studio

extension Recipe {
  static let timeout = Recipe("timeout", "an image that takes too long fails, and its load stops") {
    kitchen in
    let url = try kitchen.endless()
    // Nobody wants to wait here: time passes when the recipe says so.
    let scheduler = DispatchQueue.test

    let task = Task { @MainActor in
      do {
        try await kitchen.pipeline.imagePublisher(with: url)
          .timeout(.seconds(5), scheduler: scheduler, customError: { .dataLoadingFailed(.timedOut(.total)) })
          .run { _ in }
      } catch {
        kitchen.say("after five seconds: \(error)")
      }
    }
    await kitchen.order(of: url)
    await scheduler.advance(by: .seconds(5))
    await task.value
    await kitchen.departure(from: url)
    kitchen.say("the server: the client has left")
  }
}
