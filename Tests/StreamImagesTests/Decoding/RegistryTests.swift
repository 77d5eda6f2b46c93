import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImageDecoderRegistry`", .timeLimit(.minutes(20)))
struct RegistryTests {
  /// Decodes bytes that begin with its letter to a picture of its width.
  private struct Letter: ImageDecoding {
    let letter: UInt8
    let width: Int

    func canDecode(_ data: Data) -> Bool { data.first == letter }
    func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { 4 * width }
    func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
      try Pictures.gradient(width, 1)
    }
  }

  /// The same, elsewhere.
  private struct Remote: AsyncImageDecoding {
    let width: Int
    var hold: Latch?
    var entered: Latch?

    func canDecode(_ data: Data) -> Bool { data.first == UInt8(ascii: "r") }

    func decode(_ data: Data, _ context: ImageDecodingContext) async throws -> Image {
      entered?.open()
      await hold?.wait()
      if Task.isCancelled { throw CancellationError() }
      guard data.count > 1 else { throw ImageCodecError.truncated }
      return try Pictures.gradient(width, 1)
    }
  }

  /// Decodes until it is cancelled.
  private struct Asking: AsyncImageDecoding {
    let entered = Latch()
    let cancelled = Latch()

    func canDecode(_ data: Data) -> Bool { true }

    func decode(_ data: Data, _ context: ImageDecodingContext) async throws -> Image {
      entered.open()
      // In a task of its own, which is not cancelled.
      await Task.detached { while !context.isCancelled() { await Task.yield() } }.value
      cancelled.open()
      throw CancellationError()
    }
  }

  private let bench = Bench()
  private let registry = ImageDecoderRegistry()

  private func pipeline() -> ImagePipeline {
    bench.pipeline {
      $0.decoderRegistry = registry
      $0.imageCache = nil
      $0.dataCache = nil
    }
  }

  @Test("The last registered decoder is tried first, and the pipeline's own decoders last")
  func order() async throws {
    bench.loader.answer(bench.url, with: Data("a".utf8))
    bench.loader.answer(bench.other, with: try Pictures.png(8, 4))
    let letter = UInt8(ascii: "a")
    registry.register(Letter(letter: letter, width: 1))
    let token = registry.register(Letter(letter: letter, width: 2))
    registry.register(Letter(letter: UInt8(ascii: "b"), width: 3))

    #expect(try await pipeline().image(for: bench.url).width == 2)
    registry.unregister(token)
    registry.unregister(token)
    #expect(try await pipeline().image(for: bench.url).width == 1)
    #expect(try await pipeline().image(for: bench.other).width == 8)

    registry.removeAll()
    let error = await pipeline().imageTask(with: bench.url).failure()
    guard case .notAnImage? = error else { return unexpected(error) }
  }

  /// Uses its registry when it is released.
  private final class Guest: ImageDecoding {
    let registry: ImageDecoderRegistry
    let released: Latch

    init(_ registry: ImageDecoderRegistry, _ released: Latch) {
      (self.registry, self.released) = (registry, released)
    }

    deinit {
      registry.removeAll()
      released.open()
    }

    func canDecode(_ data: Data) -> Bool { false }
    func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { 0 }
    func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
      throw ImageCodecError.truncated
    }
  }

  @Test("A decoder that leaves a registry is released at once, and may use the registry then")
  func released() {
    let (one, other) = (Latch(), Latch())
    let token = registry.register(Guest(registry, one))
    registry.unregister(token)
    #expect(one.isOpen)

    registry.register(Guest(registry, other))
    registry.removeAll()
    #expect(other.isOpen)
  }

  @Test("A decoder that says no more than it must costs nothing, shows no preview, and knows no information")
  func minimal() throws {
    struct Minimal: ImageDecoding {
      func canDecode(_ data: Data) -> Bool { true }
      func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { 7 }
      func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
        try Pictures.gradient(1, 1)
      }
    }
    let context = ImageDecodingContext(request: "https://a/b")

    #expect(try Remote(width: 1).byteCost(of: Data(), context) == 0)
    #expect(try Minimal().decodePreview(Data(), context) == nil)
    #expect(Minimal().info(of: Data()) == nil && Minimal().previewPolicy(for: Data()) == nil)
    #expect(context.isComplete && context.previewPolicy == nil && context.target == nil)
    #expect(context.contentType == nil && context.limits == .default && !context.isCancelled())
  }

  @Test("The context of an asynchronous decoder reports that decoding is cancelled")
  func cancelledContext() async {
    bench.loader.answer(bench.url, with: Data("a".utf8))
    let decoder = Asking()
    registry.register(decoder)
    let task = pipeline().imageTask(with: bench.url)
    await decoder.entered.wait()

    task.cancel()
    await decoder.cancelled.wait()

    #expect(task.isCancelled)
  }

  @Test("An error names the format that has no decoder")
  func missing() async {
    bench.loader.answer(bench.url, with: Data([0xFF, 0x4F, 0xFF, 0x51] + [UInt8](repeating: 0, count: 60)))

    let error = await pipeline().imageTask(with: bench.url).failure()

    guard case .decoderNotRegistered(.jpeg2000)? = error else { return unexpected(error) }
  }

  @Test("One decoder is created per load from its context, even if the registry changes meanwhile")
  func factories() async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(
      bench.url, with: bytes, type: "image/jpeg", inPiecesOf: bytes.count / 2 + 1, onDemand: true)
    let (made, registry, decoder) = (Shared<[String]>([]), registry, bench.decoder)
    registry.register { _, context in
      made.change { $0.append("\(context.contentType ?? "") \(context.isComplete)") }
      registry.removeAll()
      return AnyImageDecoder(decoder)
    }
    let pipeline = bench.pipeline {
      $0.decoderRegistry = registry
      $0.decoders = []
      $0.isProgressiveDecodingEnabled = true
    }

    let task = pipeline.imageTask(with: bench.url)
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await until { task.status.preview != nil }
    bench.loader.sendRest(of: bench.url)
    _ = try await task.image

    #expect(made.value == ["image/jpeg false"])
    #expect(decoder.previewRuns.count == 1 && decoder.runs == 1)
  }

  @Test("The decoder registry can be changed from many threads at once")
  func concurrency() async {
    let registry = registry
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            let token = registry.register(Letter(letter: UInt8(index), width: 1))
            registry.unregister(token)
          }
        }
      }
    }
    bench.loader.answer(bench.url, with: Data([1]))

    guard case .notAnImage? = await pipeline().imageTask(with: bench.url).failure() else {
      return unexpected("a decoder that is left")
    }
  }

  @Test("An asynchronous decoder decodes, and its error becomes the failure")
  func asynchronous() async throws {
    registry.register(Remote(width: 7))
    bench.loader.answer(bench.url, with: Data("remote".utf8))
    bench.loader.answer(bench.other, with: Data("r".utf8))

    #expect(try await pipeline().image(for: bench.url).width == 7)
    let error = await pipeline().imageTask(with: bench.other).failure()

    guard case .decodingFailed(ImageCodecError.truncated)? = error else { return unexpected(error) }
  }

  @Test("A cancelled asynchronous decoder gives its place to the next image")
  func asynchronousCancelling() async throws {
    let (entered, hold) = (Latch(), Latch())
    registry.register(Remote(width: 7, hold: hold, entered: entered))
    bench.loader.answer(bench.url, with: Data("remote".utf8))
    bench.loader.answer(bench.other, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline {
      $0.decoderRegistry = registry
      $0.decodingWidth = 1
    }
    let task = pipeline.imageTask(with: bench.url)
    await entered.wait()
    let next = pipeline.imageTask(with: bench.other)

    task.cancel()
    hold.open()

    #expect(try await next.image.width == 8)
    #expect(bench.memory.entries.count == 1)
  }
}
