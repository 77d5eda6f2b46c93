import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("Properties of requests", .timeLimit(.minutes(1)))
struct RequestChangeTests {
  private let bench = Bench()

  @Test("Requests that differ in their URL, their encoding or what they keep are not equal")
  func equality() {
    let plain = ImageRequest(url: bench.url)
    for change in [
      { $0.encoding = .png }, { $0.keptMetadata = .all }, { $0.headers.append("a", "b") },
      { $0 = ImageRequest(url: URL(string: "https://example.org/b.png")) }, { $0 = ImageRequest(url: nil) },
      { $0.processors = [.circle()] },
    ] as [(inout ImageRequest) -> Void] {
      var changed = plain
      change(&changed)
      #expect(changed != plain && plain != changed)
    }
    var (first, second) = (plain, plain)
    (first.processors, second.processors) = ([.circle()], [.invert()])
    #expect(first != second)
    (first.processors, second.processors) = ([.circle()], [.circle()])
    #expect(first == second && first.hashValue == second.hashValue)
    // Not by its scale, which is no number.
    first.scale = .nan
    #expect(first == first && first != second)
  }

  @Test("A request without a URL has a partition of its own, and no headers")
  func withoutAddress() {
    var (closure, missing) = (ImageRequest(id: "a", data: { Data() }), ImageRequest(url: nil))
    let plain = closure
    for request in [closure, missing] { #expect(request.url == nil && request.headers == HeaderFields()) }

    closure.cachePartition = "ann"
    closure.headers = ["a": "b"]
    missing.headers = ["a": "b"]

    #expect(closure.cachePartition == "ann" && closure.headers == HeaderFields() && missing.address == nil)
    #expect(closure != plain && ImageCacheKey(closure) != ImageCacheKey(plain))
    closure.cachePartition = nil
    #expect(closure.cachePartition == nil && closure == plain)
  }

  @Test("Closures and images with the same name are equal, and differ from those with another name")
  func names() {
    let bytes = { (id: String) in ImageRequest(id: id, data: { Data() }) }
    let image = { (id: String) in ImageRequest(id: id, image: { throw CancellationError() }) }

    #expect(bytes("a") == bytes("a") && bytes("a") != bytes("b") && bytes("a") != image("a"))
    #expect(image("a") == image("a") && image("a") != image("b"))
    #expect(bytes("é") != bytes("e\u{301}"))
  }

  @Test("Each step of a builder sets one property, and the defaults of a step are those of its processor")
  func builder() throws {
    let pipeline = bench.pipeline()
    let start = pipeline.image(with: bench.url)
    let box = CGSize(width: 5, height: 6)
    let red = Image.Pixel(red: 255, green: 0, blue: 0)
    let processors: [(ImageRequestBuilder, any ImageProcessing)] = [
      (start.resize(width: 5), .resize(width: 5)), (start.resize(height: 5), .resize(height: 5)),
      (start.resize(width: 5, upscale: true), .resize(width: 5, upscale: true)),
      (start.resize(height: 5, upscale: true), .resize(height: 5, upscale: true)),
      (start.resize(size: box), .resize(size: box)),
      (
        start.resize(size: box, contentMode: .aspectFit, upscale: true),
        .resize(size: box, contentMode: .aspectFit, upscale: true)
      ),
      (start.resize(size: box, crop: true), .resize(size: box, crop: true)),
      (start.blur(), .gaussianBlur()), (start.blur(radius: 2), .gaussianBlur(radius: 2)),
      (start.circle(), .circle()),
      (start.circle(border: .init(color: red)), .circle(border: .init(color: red))),
      (start.roundedCorners(radius: 4), .roundedCorners(radius: 4)),
      (start.crop(size: box), .crop(size: box)),
      (start.crop(size: box, focus: .top), .crop(size: box, focus: .top)),
      (start.crop(size: box, to: .attention), .crop(size: box, to: .attention)),
      (start.pad(to: box), .pad(to: box)), (start.trim(), .trim()), (start.background(red), .background(red)),
      (start.sharpen(), .sharpen()), (start.pixelate(), .pixelate()), (start.process(.invert()), .invert()),
    ]
    for (builder, processor) in processors {
      #expect(builder.request.processors.map(\.identifier) == [processor.identifier])
    }

    let integrity = Integrity(of: Data())
    let changes: [(ImageRequestBuilder, (inout ImageRequest) -> Void)] = [
      (start.priority(.low), { $0.priority = .low }), (start.scale(2), { $0.scale = 2 }),
      (start.options(.waitForStorage), { $0.options = .waitForStorage }),
      (
        start.options(.waitForStorage).options(.skipDataLoadingQueue),
        { $0.options = [.waitForStorage, .skipDataLoadingQueue] }
      ),
      (start.thumbnail(.init(maxPixelSize: 4)), { $0.thumbnail = .init(maxPixelSize: 4) }),
      (start.encoding(.png), { $0.encoding = .png }), (start.keeping(.all), { $0.keptMetadata = .all }),
      (start.imageID("a"), { $0.imageID = "a" }), (start.integrity(integrity), { $0.integrity = integrity }),
      (start.header("a", "b"), { $0.headers = ["a": "b"] }),
    ]
    for (builder, change) in changes {
      var expected = start.request
      change(&expected)
      #expect(builder.request == expected && expected != start.request, "\(expected)")
    }
    #expect(start.userInfo("a", 1).request.userInfo["a"] as? Int == 1)
    let secrets = [start.header("a", "b"), start.header("a", "b", isSecret: true)].map {
      $0.request.headers.contains { $0.isSecret }
    }
    #expect(secrets == [false, true])
  }

  @Test(
    "The publisher of a builder includes previews unless it is told not to, and a target uses its pipeline")
  @MainActor func results() throws {
    let pipeline = bench.pipeline()
    bench.loader.hold(bench.url)
    let start = pipeline.image(with: bench.url)
    let target = Display()

    #expect(start.publisher().includesPreviews && !start.publisher(includingPreviews: false).includesPreviews)
    #expect(pipeline.imagePublisher(with: start.request).includesPreviews)
    let task = try #require(start.display(in: target))
    #expect(target.imageSlot.isLoading && !pipeline.isIdle)
    cancelRequest(for: target)
    #expect(task.isCancelled)
  }

  @Test("A thumbnail fills its box by default")
  func thumbnails() {
    #expect(ImageRequest.ThumbnailOptions(width: 5, height: 6).target == ResizeTarget(width: 5, height: 6))
    #expect(!ImageRequest.ThumbnailOptions(maxPixelSize: 5).usesEmbeddedThumbnail)
    #expect(
      ImageRequest.ThumbnailOptions(width: 5, height: 6, unit: .points(scale: 4), contentMode: .aspectFit)
        .target
        == ResizeTarget(width: 20, height: 24, mode: .fit))
  }
}
