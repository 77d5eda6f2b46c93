import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("Bodies that break a rule", .timeLimit(.minutes(1)))
struct BodyRuleTests {
  private let bench = Bench()

  /// A pipeline whose loader responds to all requests with this.
  private func pipeline(_ head: LoadedHead, _ body: Data) -> (ImagePipeline, ScriptedLoader) {
    let loader = ScriptedLoader(head: head, chunks: [body])
    return (bench.pipeline { ($0.dataLoader, $0.dataCache) = (loader, nil) }, loader)
  }

  @Test(
    "Only a part of a body is refused, and its load is cancelled",
    arguments: [
      (0, 10, 10, true), (0, 10, nil, false), (1, 10, 9, false), (0, 10, 11, false), (1, 11, 11, false),
    ] as [(Int, Int, Int?, Bool)])
  func parts(_ row: (start: Int, end: Int, total: Int?, isWhole: Bool)) async throws {
    var head = LoadedHead(url: bench.url)
    head.partial = LoadedHead.ByteRange(bytes: row.start..<row.end, total: row.total)
    let (pipeline, loader) = pipeline(head, try Pictures.png(8, 4))

    let error = await pipeline.imageTask(with: bench.url).failure()

    #expect((error == nil) == row.isWhole)
    if !row.isWhole {
      #expect(error?.dataLoadingError == .truncated(received: row.end - row.start, expected: row.total))
    }
    #expect(loader.departures(from: bench.url) == (row.isWhole ? 0 : 1))
  }

  @Test("A body has the announced length exactly, unless it is compressed")
  func lengths() async throws {
    let bytes = try Pictures.png(8, 4)
    for (difference, isCoded, expected) in [
      (0, false, nil), (1, false, .truncated(received: bytes.count, expected: bytes.count + 1)),
      (-1, false, .longerThanAnnounced(byteCount: bytes.count - 1)), (1, true, nil), (-1, true, nil),
    ] as [(Int, Bool, DataLoadingError?)] {
      var head = LoadedHead(url: bench.url, isContentCoded: isCoded)
      head.expectedByteCount = bytes.count + difference

      let request = ImageRequest(url: bench.url, options: .disableMemoryCache)
      let error = await pipeline(head, bytes).0.imageTask(with: request).failure()

      #expect(error?.dataLoadingError == expected && (error == nil) == (expected == nil))
    }
  }

  @Test("A content coding is to blame only if it was not allowed, and for bytes that are no image")
  func codings() async throws {
    let page = Data("<html>".utf8)
    let half = try Pictures.png().prefix(Pictures.png().count / 2)
    for (isCoded, isAllowed, body, code) in [
      (true, false, page, "loading.unexpected-content-coding"),
      (true, true, page, "pipeline.not-an-image.html"),
      (false, false, page, "pipeline.not-an-image.html"),
      (true, false, half, "codec.truncated"),
    ] as [(Bool, Bool, Data, String)] {
      let head = LoadedHead(headers: ["Content-Encoding": "gzip"], url: bench.url, isContentCoded: isCoded)
      var request = DataRequest(url: bench.url)
      request.allowsContentCoding = isAllowed

      let error = await pipeline(head, body).0.imageTask(with: ImageRequest(request)).failure()

      #expect(error?.code == code)
    }
  }

  /// Fails in a way that other bytes would not prevent.
  private struct Exhausted: ImageDecoding {
    func canDecode(_ data: Data) -> Bool { true }
    func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { 0 }
    func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
      throw ImageCodecError.outOfMemory
    }
  }

  @Test("A content coding is not to blame if the decoder fails for another reason")
  func otherReason() async {
    let head = LoadedHead(headers: ["Content-Encoding": "gzip"], url: bench.url, isContentCoded: true)
    let loader = ScriptedLoader(head: head, chunks: [Data("own".utf8)])
    let pipeline = bench.pipeline { ($0.dataLoader, $0.decoders) = (loader, [Exhausted()]) }

    let error = await pipeline.imageTask(with: bench.url).failure()

    #expect(error?.code == "codec.out-of-memory")
  }
}
