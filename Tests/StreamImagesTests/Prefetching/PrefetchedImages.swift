import Foundation
import StreamImages
import Testing

extension Bench {
  /// Has the loader answer each of these with a small image.
  func answerWithImages(_ urls: [URL]) throws {
    for url in urls { loader.answer(url, with: try Pictures.png(8, 4)) }
  }
}

extension ImagePipeline {
  /// The priorities of the loads of images, and nil for each that is not in progress.
  func priorities(of urls: [URL]) throws -> [ImageRequest.Priority?] {
    try urls.map { images.priority(of: try #require(ImageJobKey(ImageRequest(url: $0)))) }
  }
}

extension ImagePrefetcher.Report {
  /// What became of its request, without the details.
  var name: String {
    switch outcome {
    case .loaded: "loaded"
    case .skipped: "skipped"
    case .failed: "failed"
    }
  }
}
