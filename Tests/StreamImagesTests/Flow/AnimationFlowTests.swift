import Dispatch
import Foundation
import LoopbackServer
import StreamImages
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Animations", .timeLimit(.minutes(20)))
struct AnimationFlowTests {
  private static let hold = 70

  @Test("An animation plays each frame for its time, as often as the file specifies")
  func playing() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(TinyGIF.bytes(colors: [1, 2], hold: Self.hold, plays: 2)))
      let pipeline = workshop.pipeline()
      let animation = try await pipeline.animation(for: workshop.server.url("/a"))
      let scheduler = DispatchQueue.test
      let recorder = animation.play(on: scheduler.eraseToAnyScheduler()).record()

      var counts: [Int] = []
      for milliseconds in [0, Self.hold - 1, 1, Self.hold, Self.hold, Self.hold] {
        await scheduler.advance(by: .milliseconds(milliseconds))
        counts.append(recorder.values.count)
      }

      #expect(animation.plays == 2)
      #expect(counts == [1, 1, 2, 3, 4, 4])
      #expect(recorder.values.map { TinyGIF.color(of: $0.image) } == [1, 2, 1, 2])
      #expect(await recorder.endsWell())
      _ = try await pipeline.animation(for: workshop.server.url("/a"))
      #expect(workshop.loads(of: "/a") == 1)
      await pipeline.flush()
    }
  }

  @Test("An animation is opened in its turn among the images that are decoded, and can be cancelled before")
  func turn() async throws {
    let bench = Bench()
    bench.loader.answer(bench.url, with: TinyGIF.bytes(colors: [1, 2], hold: 1, plays: 1))
    let pipeline = bench.pipeline { $0.decodingWidth = 1 }
    pipeline.suspend(.decoding)
    let request = ImageRequest(url: bench.url, priority: .high)
    let (first, second) = (
      pipeline.animationPublisher(with: request).record(), pipeline.animationPublisher(with: request).record()
    )
    await until { pipeline.counts(of: .decoding) == (2, 0) }
    #expect(pipeline.waitingPriorities(of: .decoding) == [.high, .high])

    first.cancel()
    await until { pipeline.counts(of: .decoding) == (1, 0) }
    pipeline.resume(.decoding)

    #expect(await second.endsWell() && second.values.count == 1 && first.values.isEmpty)
    await pipeline.flush()
  }

  @Test("A frame of a sixtieth of a second is not shown for sixteen milliseconds only")
  func sixtieth() async throws {
    // Two frames of 2 × 1 pixels.
    let file = """
      iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAACGFjVEwAAAACAAAAAYSKo+YAAAAaZmNUTAAAAAAAAA\
      ACAAAAAQAAAAAAAAAAAAEAPAAA2c8vWwAAAA9JREFUeJxjYGRiZmFlAwAAPwAWIbrUVAAAABpmY1RMAAAAAQAAAAIA\
      AAABAAAAAAAAAAAAAQA8AABCvMWPAAAAE2ZkQVQAAAACeJxjYGRiZmFlAwAAPwAW7imLCAAAAABJRU5ErkJggg==
      """
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try #require(Data(base64Encoded: file))))
      let animation = try await workshop.pipeline().animation(for: workshop.server.url("/a"))
      let scheduler = DispatchQueue.test
      let recorder = animation.play(on: scheduler.eraseToAnyScheduler(), plays: 1).record()

      var counts: [Int] = []
      for milliseconds in [0, 16, 1] {
        await scheduler.advance(by: .milliseconds(milliseconds))
        counts.append(recorder.values.count)
      }

      #expect(counts == [1, 1, 2])
      recorder.cancel()
    }
  }

  @Test("An animation can repeat until it is cancelled")
  func forever() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(TinyGIF.bytes(colors: [1, 2], hold: Self.hold, plays: 1)))
      let animation = try await workshop.pipeline().animation(for: workshop.server.url("/a"))
      let scheduler = DispatchQueue.test
      let recorder = animation.play(on: scheduler.eraseToAnyScheduler(), plays: nil).record()

      await scheduler.advance(by: .milliseconds(Self.hold * 100))
      recorder.cancel()
      await scheduler.advance(by: .milliseconds(Self.hold * 100))

      #expect(recorder.values.count == 101)
      #expect(recorder.completions.isEmpty)
      #expect(scheduler.pending == 0)
    }
  }

  @Test("A frame is decoded on demand, from the first one for each subscriber")
  func frames() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(TinyGIF.bytes(colors: [1, 2, 3], hold: 20, plays: 5)))
      let animation = try await workshop.pipeline().animation(for: workshop.server.url("/a"))
      let (first, second) = (animation.frames.record(demand: .max(1)), animation.frames.record())

      #expect(first.values.map { TinyGIF.color(of: $0.image) } == [1])
      #expect(second.values.map { TinyGIF.color(of: $0.image) } == [1, 2, 3])
      first.request(.unlimited)
      #expect(first.values == second.values)
      #expect(await first.endsWell())
    }
  }

  @Test("Each frame is processed, and a processor error ends the animation")
  func processed() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(TinyGIF.bytes(colors: [1, 2], hold: 20, plays: 1)))
      let counted = Shared(0)
      let border = ImageProcessors.Anonymous(id: "counted") { _ in
        guard counted.value < 3 else { throw ImageCodecError.outOfMemory }
        counted.change { $0 += 1 }
        return try Pictures.gradient(2, 3)
      }
      let request = ImageRequest(url: workshop.server.url("/a"), processors: [border])
      let animation = try await workshop.pipeline().animation(for: request)

      let whole = animation.frames.record()
      let broken = animation.frames.record()

      #expect(
        whole.values.map(\.image.size) == [PixelSize(width: 2, height: 3), PixelSize(width: 2, height: 3)])
      #expect(broken.values.count == 1)
      guard case .failure(.processingFailed)? = broken.completions.first else {
        Issue.record("\(broken.completions)")
        return
      }
    }
  }

  @Test("A damaged animation fails at the damaged frame")
  func damaged() async throws {
    try await withWorkshop { workshop in
      let bytes = TinyGIF.bytes(colors: [1, 2], hold: 20, plays: 1, damagesLast: true)
      workshop.server.serve("/a", .bytes(bytes))
      let animation = try await workshop.pipeline().animation(for: workshop.server.url("/a"))

      let recorder = animation.frames.record()

      #expect(recorder.values.count == 1)
      guard case .failure(.decodingFailed)? = recorder.completions.first else {
        Issue.record("\(recorder.completions)")
        return
      }
    }
  }

  @Test("Bytes that only a registered decoder can read fail as an animation and stay on the disk")
  func registered() async throws {
    let bench = Bench()
    bench.loader.answer(bench.url, with: Data("own".utf8))
    let registry = ImageDecoderRegistry()
    registry.register(OwnDecoder())
    let pipeline = bench.pipeline { $0.decoderRegistry = registry }
    _ = try await pipeline.image(for: bench.url)
    await pipeline.flush()

    let failure = await imageFailure { () throws(ImagePipeline.Error) in
      try await pipeline.animation(for: bench.url)
    }

    guard case .notAnImage? = failure else { return unexpected(failure) }
    #expect(bench.disk.entries.count == 1)
  }

  private struct OwnDecoder: ImageDecoding {
    func canDecode(_ data: Data) -> Bool { data == Data("own".utf8) }
    func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { 0 }
    func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
      try Pictures.gradient(2, 1)
    }
  }

  @Test("Bytes that are not an image fail as an animation and are not stored")
  func other() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(Data("<html>".utf8)))
      let pipeline = workshop.pipeline()

      let failure = await imageFailure { () throws(ImagePipeline.Error) in
        try await pipeline.animation(for: workshop.server.url("/a"))
      }

      guard case .notAnImage? = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      await pipeline.flush()
      #expect(workshop.cachedFiles.isEmpty)
    }
  }
}

/// GIFs of one pixel and three colors, each frame of which shows one of them.
enum TinyGIF {
  /// - Parameters:
  ///   - colors: Of each frame: 1 red, 2 green, 3 blue.
  ///   - hold: How long each is shown, in milliseconds.
  static func bytes(colors: [UInt8], hold: Int, plays: Int, damagesLast: Bool = false) -> Data {
    var bytes = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x91, 0, 0]
    bytes += [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]
    if plays > 1 {
      // The extension counts repetitions.
      bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, UInt8(plays - 1), 0, 0]
    }
    for (index, color) in colors.enumerated() {
      bytes += [0x21, 0xF9, 4, 0, UInt8(hold / 10), 0, 0, 0]
      bytes += [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
      // Codes of three bits: clear, the color, end. A code that the table does not have is damage.
      let isDamaged = damagesLast && index == colors.count - 1
      let code = 4 | (isDamaged ? 7 : Int(color)) << 3 | 5 << 6
      bytes += [2, 2, UInt8(code & 0xFF), UInt8(code >> 8), 0]
    }
    return Data(bytes + [0x3B])
  }

  static func color(of image: Image) -> Int? {
    guard let pixel = image.pixel(x: 0, y: 0) else { return nil }
    return [pixel.red, pixel.green, pixel.blue].firstIndex(of: 255).map { $0 + 1 }
  }
}
