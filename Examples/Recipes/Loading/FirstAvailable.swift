import Foundation
import StreamImages
import Studio

extension Recipe {
  static let firstAvailable = Recipe("firstAvailable", "the first of several that can be had, or the fastest")
  {
    kitchen in
    let (missing, slow) = (ImageRequest(url: kitchen.missing), ImageRequest(url: try kitchen.endless()))
    let there = ImageRequest(url: try kitchen.painting(1))
    let unwanted = ImageRequest(url: try kitchen.painting(2))

    // One after the other, in this order.
    try await kitchen.pipeline.firstAvailable([missing, there, unwanted]).run { response in
      kitchen.say("the first: \(response.request.url?.lastPathComponent ?? "none")")
    }
    kitchen.say("asked for: \(kitchen.orders.joined(separator: ", "))")

    // All at once; those that are slower are cancelled.
    try await kitchen.pipeline.fastest([slow, missing, unwanted]).run { response in
      kitchen.say("the fastest: \(response.request.url?.lastPathComponent ?? "none")")
    }

    // If there is none, that is a failure, not an empty success.
    do {
      try await kitchen.pipeline.firstAvailable([missing, missing]).run { _ in }
    } catch {
      kitchen.say("of none: a failure")
    }
  }
}
