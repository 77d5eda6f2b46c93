import Foundation
import StreamImages
import Studio

extension Recipe {
  static let prefetch = Recipe("prefetch", "images before they are needed, with a report for each") {
    kitchen in
    let urls = try [1, 2].map(kitchen.painting) + [kitchen.missing]
    let requests = urls.map { ImageRequest(url: $0) }
    let prefetcher = ImagePrefetcher(pipeline: kitchen.pipeline, maximumConcurrentRequests: 1)

    await prefetcher.publisher(for: requests + requests.prefix(1)).run { report in
      let outcome =
        switch report.outcome {
        case .loaded: "loaded"
        case .skipped: "there already"
        case .failed: "failed"
        }
      kitchen.say("\(report.request.url?.lastPathComponent ?? "none"): \(outcome)")
    }
    try await kitchen.pipeline.imagePublisher(with: requests[1]).run { response in
      kitchen.say("\(response.image.size) from \(response.cacheSource.map { "\($0)" } ?? "elsewhere")")
    }
  }
}
