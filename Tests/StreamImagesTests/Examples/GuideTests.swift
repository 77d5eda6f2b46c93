import Foundation
import LoopbackServer
import StreamImages
import Streams
import StreamsFoundationExtras
import Testing

/// The code of the guides to caching and loading.
@Suite("Caching and loading guides", .inRealTime)
struct CachingAndLoadingGuideTests {
  @Test("The animation example shows the frames", .timeLimit(.minutes(20)))
  func animations() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.png(640, 480)))
      let (url, pipeline) = (workshop.server.url("/a"), workshop.pipeline())
      let shown = Shared<Set<Int>>([])
      func show(_ image: Image) { shown.change { $0.insert(image.width) } }

      let animation = try await pipeline.animation(for: url)
      let playing = animation.play(on: .main).sink { _ in
      } receiveValue: { frame in
        show(frame.image)
      }
      // Whether the main queue comes to a frame before that is up to the tests beside this one.
      playing.cancel()
      let frames = animation.frames.sink { _ in
      } receiveValue: { frame in
        show(frame.image)
      }

      withExtendedLifetime(frames) {}
      await pipeline.flush()
      #expect(shown.value == [640])
    }
  }
}
