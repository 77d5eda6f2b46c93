import Foundation
import StreamImages
import StreamImagesTesting
import StreamsExtras
import StreamsTesting
import Testing

/// The code of the guides to the first steps, and to what is refused.
@Suite("Getting started guides")
struct StartingTests {
  private struct Offline: Error {}

  @Test("The getting-started example sends the squares of odd numbers")
  func squares() {
    var seen: [Int] = []

    let squares = (1...5).publisher
      .map { $0 * $0 }
      .filter { $0 % 2 == 1 }
    let sink = squares.sink { seen.append($0) }

    sink.cancel()
    #expect(seen == [1, 9, 25])
  }

  @Test("The subject example sends values until it is cancelled")
  func subject() {
    var asked: [String] = []

    let searches = PassthroughSubject<String, Never>()
    let results =
      searches
      .map { $0.lowercased() }
      .removeDuplicates()
      .sink { asked.append($0) }
    searches.send("Cat")
    searches.send("cat")
    searches.send("Dog")
    results.cancel()
    searches.send("Bird")

    #expect(asked == ["cat", "dog"])
  }

  @Test("The retry example calls three times and sends a replacement")
  func failing() async {
    let calls = Shared(0)
    @Sendable func download() async throws -> String {
      calls.change { $0 += 1 }
      throw Offline()
    }
    var lines: [String] = []

    let page = MorePublishers.AsyncCall<String, any Error> { try await download() }
    let text =
      page
      .retry(2)
      .catch { _ in Just("Nothing to read.") }
    for await line in text.values { lines.append(line) }

    #expect(lines == ["Nothing to read."])
    #expect(calls.value == 3)
  }

  @Test("The test example advances virtual time")
  func time() {
    let clock = VirtualScheduler.virtual
    let typed = PassthroughSubject<String, Never>()
    let recorder = typed.debounce(for: .seconds(1), scheduler: clock).record()

    typed.send("c")
    typed.send("ca")
    clock.advance(by: .seconds(1))

    #expect(recorder.values == ["ca"])
    recorder.cancel()  // a subject that is dropped without a word leaves the two to one another
  }

  @Test("The image example shows a placeholder for a missing file", .timeLimit(.minutes(20)))
  func picture() async throws {
    let placeholder = try Pictures.gradient(2, 2)
    var configuration = ImagePipeline.Configuration()
    configuration.dataCache = nil
    let pipeline = ImagePipeline(configuration)
    let url = URL(filePath: "/there/is/no/such/picture.png")

    let request = ImageRequest(url: url, processors: [.resize(width: 320)])
    let picture = pipeline.imagePublisher(with: request)
      .map(\.image)
      .replaceError(with: placeholder)

    let recorder = picture.record()
    _ = await recorder.ended()
    #expect(recorder.values.map(\.width) == [2])
  }

  @Test("The server example refuses files and private addresses", .timeLimit(.minutes(20)))
  func strangers() async throws {
    var configuration = ImagePipeline.Configuration()
    configuration.decodingLimits.maximumPixels = 12_000_000
    configuration.loadLimits.maximumByteCount = 8 << 20
    configuration.decodingByteBudget = 128 << 20

    let network = CurlLoader(.server)
    configuration.dataLoader = SchemeLoader(network: network, file: nil, data: nil)

    var allowed = CurlLoader.Configuration()
    allowed.addressPolicy = AddressPolicy { address in address.isPublic }

    for url in ["file:///etc/hostname", "http://127.0.0.1:9/", "http://[::ffff:10.0.0.1]/"] {
      let request = DataRequest(url: try #require(URL(string: url)))
      await #expect(throws: DataLoadingError.self) {
        try await configuration.dataLoader.load(request, limits: configuration.loadLimits)
      }
    }
    await #expect(throws: DataLoadingError.self) {
      let request = DataRequest(url: try #require(URL(string: "http://127.0.0.1:9/")))
      return try await CurlLoader(allowed).load(request, limits: LoadLimits())
    }
  }

  @Test("The partition example makes requests differ")
  func partitions() throws {
    let url = try #require(URL(string: "https://photos.example/1"))
    let expected = Data([1, 2, 3])

    var request = ImageRequest(url: url)
    request.cachePartition = "user 7"
    request.integrity = Integrity(of: expected)

    #expect(request != ImageRequest(url: url))
    #expect(request.integrity == Integrity(of: expected))
  }
}
