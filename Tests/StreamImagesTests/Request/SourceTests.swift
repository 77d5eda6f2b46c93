import Foundation
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
import StreamImages
import StreamsFoundationExtras
import StreamsTesting
import Testing

@Suite("Image sources", .timeLimit(.minutes(20)))
struct SourceTests {
  private struct Broken: Error {}

  private let bench = Bench()

  @Test("A URL, a string and a `URLRequest` load the same image")
  func addresses() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    var foundation = URLRequest(url: bench.url)
    foundation.setValue("image/png", forHTTPHeaderField: "Accept")
    foundation.cachePolicy = .reloadIgnoringLocalCacheData

    let converted: ImageRequest = try #require(ImageRequest(urlRequest: foundation))
    let requests: [ImageRequest] = [ImageRequest(url: bench.url), "https://example.org/a.png", converted]
    for request in requests { #expect(try await pipeline.image(for: request).width == 8) }

    #expect(bench.loader.requests.map { $0.headers["Accept"] } == [nil, "image/png"])
    #expect(requests[2].options == .reloadIgnoringCachedData)
  }

  @Test("A `URLRequest` keeps its method and body, and unsupported ones are rejected")
  func otherMethods() {
    var post = URLRequest(url: bench.url)
    post.httpMethod = "POST"
    var body = URLRequest(url: bench.url)
    (body.httpMethod, body.httpBody) = ("PUT", Data([1]))
    body.allowsCellularAccess = false
    var odd = URLRequest(url: bench.url)
    odd.httpMethod = "BREW"
    var stream = URLRequest(url: bench.url)
    stream.httpBodyStream = InputStream(data: Data([1]))
    var cached = URLRequest(url: bench.url)
    cached.cachePolicy = .returnCacheDataDontLoad

    #expect(ImageRequest(urlRequest: post)?.address?.method == .post)
    let sent = ImageRequest(urlRequest: body)?.address
    #expect(sent?.method == .put && sent?.body == Data([1]) && sent?.allowsExpensiveNetworkAccess == false)
    #expect(ImageRequest(urlRequest: odd) == nil && ImageRequest(urlRequest: stream) == nil)
    #expect(ImageRequest(urlRequest: cached)?.options == .returnCacheDataDontLoad)
  }

  @Test("A missing URL fails as a bad URL, and a missing request as missing")
  func nothing() async {
    let pipeline = bench.pipeline()

    let noURL = await pipeline.imageTask(with: ImageRequest(url: nil)).failure()
    let noRequest = await pipeline.loadImage(with: ImageRequest?.none, on: .immediate) { _ in }.failure()

    guard case .dataLoadingFailed(.badURL)? = noURL else { return unexpected(noURL) }
    guard case .imageRequestMissing? = noRequest else { return unexpected(noRequest) }
    #expect(bench.loader.requests.isEmpty)
  }

  @Test("A closure is called once when needed, and its bytes are cached under its ID")
  func closure() async throws {
    let bytes = try Pictures.png(8, 4)
    let calls = Shared(0)
    let request = ImageRequest(
      id: "avatar",
      data: {
        calls.change { $0 += 1 }
        return bytes
      })
    let pipeline = bench.pipeline()
    #expect(calls.value == 0)

    let response = try await pipeline.response(for: request)
    await pipeline.flush()
    bench.memory.removeAll()
    let again = try await pipeline.response(for: request)

    #expect(response.origin == .program && response.image.width == 8)
    #expect(again.cacheSource == .disk)
    #expect(calls.value == 1)
    #expect(bench.disk.writes == [try #require(DataCacheKey.original(request))])
  }

  @Test("Closures with the same ID share their work, and other IDs do not")
  func names() async throws {
    let bytes = try Pictures.png(8, 4)
    let (calls, latch) = (Shared(0), Latch())
    let make = { (id: String) in
      ImageRequest(
        id: id,
        data: {
          calls.change { $0 += 1 }
          await latch.wait()
          return bytes
        })
    }
    let pipeline = bench.pipeline()

    let tasks = ["a", "a", "b"].map { pipeline.imageTask(with: make($0)) }
    await until { calls.value == 2 }
    latch.open()

    for task in tasks { #expect(try await task.image.width == 8) }
    #expect(calls.value == 2)
    #expect(
      ImageCacheKey(make("https://example.org/a.png"))
        != ImageCacheKey("https://example.org/a.png" as ImageRequest))
  }

  @Test("An error of a closure becomes the failure, and nothing is stored")
  func failingClosure() async {
    let error = await bench.pipeline().imageTask(with: ImageRequest(id: "a", data: { throw Broken() }))
      .failure()

    guard case .sourceFailed(let reason)? = error, reason is Broken else { return unexpected(error) }
    #expect(bench.disk.writes.isEmpty)
  }

  @Test(
    "Cancelling a request cancels the task of its closure, even past the queue",
    arguments: [false, true])
  func cancelledClosure(skips: Bool) async {
    let (entered, left) = (Latch(), Latch())
    let request = ImageRequest(
      id: "a",
      data: {
        entered.open()
        while !Task.isCancelled { await Task.yield() }
        left.open()
        return Data()
      }, options: skips ? .skipDataLoadingQueue : [])
    let pipeline = bench.pipeline()
    let task = pipeline.imageTask(with: request)
    await entered.wait()

    task.cancel()

    await left.wait()
    await until { pipeline.isIdle }
    #expect(task.isCancelled)
  }

  @Test("The chunks of a publisher are joined within the size limit")
  func publisher() async throws {
    let bytes = try Pictures.png(8, 4)
    let request = ImageRequest(
      id: "pieces",
      publisher: { [bytes.prefix(10), bytes.dropFirst(10)].publisher.setFailureType(to: Broken.self) })

    let response = try await bench.pipeline().response(for: request)
    let error = await bench.pipeline {
      $0.loadLimits.maximumByteCount = 11
      $0.dataCache = nil
      $0.imageCache = nil
    }
    .imageTask(with: request).failure()

    #expect(response.image.width == 8 && response.byteCount == bytes.count)
    guard case .dataDownloadExceededMaximumSize(11)? = error else { return unexpected(error) }
  }

  @Test("A publisher without bytes or with a failure fails the request")
  func failingPublisher() async {
    let pipeline = bench.pipeline()

    let empty = await pipeline.imageTask(with: ImageRequest(id: "a", publisher: { Empty<Data, Never>() }))
      .failure()
    let failing = await pipeline.imageTask(
      with: ImageRequest(id: "b", publisher: { Fail<Data, Broken>(error: Broken()) })
    ).failure()

    guard case .dataIsEmpty? = empty else { return unexpected(empty) }
    guard case .sourceFailed(let reason)? = failing, reason is Broken else { return unexpected(failing) }
  }

  @Test("Cancelling a request cancels its publisher")
  func cancelledPublisher() async {
    let script = Script(Data.self, failure: Never.self)
    let request = ImageRequest(id: "a", publisher: { script })
    let task = bench.pipeline().imageTask(with: request)
    await until { !script.demands.isEmpty }

    task.cancel()

    await until { script.asks.contains(.cancel) }
    #expect(script.asks.last == .cancel)
  }

  @Test("An image from a closure is processed without loading or decoding")
  func picture() async throws {
    let processor = ScriptedProcessor("a")
    let picture = try Pictures.gradient(40, 20)
    var request = ImageRequest(id: "drawing", image: { picture }, processors: [processor])
    request.scale = 2
    request.thumbnail = .init(maxPixelSize: 10)
    let pipeline = bench.pipeline { $0.dataCachePolicy = .storeAll }

    let response = try await pipeline.response(for: request)
    await pipeline.flush()

    #expect(response.image.size == PixelSize(width: 10, height: 5) && response.image.scale == 2)
    #expect(response.origin == .program && response.cacheSource == nil)
    #expect(processor.runs == 1 && bench.decoder.runs == 0 && bench.loader.requests.isEmpty)
    #expect(bench.disk.writes == [try #require(DataCacheKey.variant(request))])
    #expect(try await pipeline.response(for: request).cacheSource == .memory)
  }

  @Test("An image closure supplies no data, and is not called for a cache-only request")
  func pictureWithoutBytes() async {
    let request = ImageRequest(id: "drawing", image: { throw Broken() })
    var cached = request
    cached.options = .returnCacheDataDontLoad
    let pipeline = bench.pipeline()

    let bytes = await pipeline.dataTask(with: request).failure()
    let missing = await pipeline.imageTask(with: cached).failure()
    let failing = await pipeline.imageTask(with: request).failure()

    guard case .dataIsEmpty? = bytes else { return unexpected(bytes) }
    guard case .dataMissingInCache? = missing else { return unexpected(missing) }
    guard case .sourceFailed? = failing else { return unexpected(failing) }
  }
}
