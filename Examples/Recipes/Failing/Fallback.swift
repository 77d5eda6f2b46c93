import Foundation
import StreamImages
import Studio

extension Recipe {
  static let fallback = Recipe("fallback", "another source where the first fails") { kitchen in
    let (pipeline, mirror) = (kitchen.pipeline, try kitchen.painting(1))

    try await pipeline.imagePublisher(with: kitchen.missing)
      .catch { _ in pipeline.imagePublisher(with: mirror) }
      .run { response in
        kitchen.say("\(response.image.size) from \(response.url?.lastPathComponent ?? "nowhere")")
      }
  }
}
