import Foundation
import StreamImages
import Testing

@Suite("Texts of requests and responses")
struct RequestTextTests {
  private static let url = URL(string: "https://example.org/a.png")!
  private static let hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

  /// A request with nothing but one property.
  private static func request(_ change: (inout ImageRequest) -> Void) -> ImageRequest {
    var request = ImageRequest(url: url)
    change(&request)
    return request
  }

  private static let table: [(ImageRequest, String)] = [
    (request { _ in }, "GET https://example.org/a.png, normal"),
    (request { $0.imageID = "a" }, "GET https://example.org/a.png, id a, normal"),
    (
      request { $0.integrity = Integrity(hash) },
      "GET https://example.org/a.png, sha256 9f86d081884c…, normal"
    ),
    (request { $0.scale = 2 }, "GET https://example.org/a.png, scale 2.0, normal"),
    (request { $0.scale = 0 }, "GET https://example.org/a.png, scale 0.0, normal"),
    (
      request { $0.thumbnail = .init(width: 5, height: 6, unit: .points(scale: 4), contentMode: .aspectFit) },
      "GET https://example.org/a.png, thumbnail 20.0x24.0 fit, normal"
    ),
    (
      request {
        $0.thumbnail = .init(width: 5, height: 6)
        $0.thumbnail?.usesEmbeddedThumbnail = true
      }, "GET https://example.org/a.png, thumbnail 5.0x6.0 fill embedded, normal"
    ),
    (
      request { $0.processors = [.circle(), .invert()] },
      "GET https://example.org/a.png, circle, invert, normal"
    ),
    (request { $0.encoding = .png }, "GET https://example.org/a.png, as png, normal"),
    (request { $0.priority = .veryLow }, "GET https://example.org/a.png, veryLow"),
    (
      request { $0.options = [.waitForStorage, .disableMemoryCacheReads] },
      "GET https://example.org/a.png, normal, [disableMemoryCacheReads waitForStorage]"
    ),
    (
      request { $0.userInfo = ["b": 1, "a": 2] },
      "GET https://example.org/a.png, normal, user info a b"
    ),
    (ImageRequest(url: nil), "no URL, normal"),
    (ImageRequest(id: "a", data: { Data() }), "data \"a\", normal"),
    (ImageRequest(id: "a", image: { throw CancellationError() }), "image \"a\", normal"),
  ]

  @Test("A request is described by its source and by what differs from the default", arguments: table.indices)
  func requests(index: Int) {
    let (request, text) = Self.table[index]

    #expect(request.description == text)
  }

  @Test("A request that keeps metadata names it")
  func metadata() {
    let request = Self.request { $0.keptMetadata = .copyright }

    #expect(request.description == "GET https://example.org/a.png, keeping \(KeptMetadata.copyright), normal")
  }

  @Test("The options of a request have their own bits, names and order")
  func options() {
    let table: [(ImageRequest.Options, UInt16, String)] = [
      ([], 0, "[]"), (.disableMemoryCacheReads, 1, "[disableMemoryCacheReads]"),
      (.disableMemoryCacheWrites, 2, "[disableMemoryCacheWrites]"),
      (.disableDiskCacheReads, 4, "[disableDiskCacheReads]"),
      (.disableDiskCacheWrites, 8, "[disableDiskCacheWrites]"),
      (.returnCacheDataDontLoad, 16, "[returnCacheDataDontLoad]"),
      (.skipDataLoadingQueue, 32, "[skipDataLoadingQueue]"), (.waitForStorage, 64, "[waitForStorage]"),
      (.disableMemoryCache, 3, "[disableMemoryCacheReads disableMemoryCacheWrites]"),
      (.disableDiskCache, 12, "[disableDiskCacheReads disableDiskCacheWrites]"),
      (.reloadIgnoringCachedData, 5, "[disableMemoryCacheReads disableDiskCacheReads]"),
    ]

    for (option, bits, text) in table { #expect(option.rawValue == bits && option.description == text) }
  }

  @Test("Priorities are ordered, and none precedes itself")
  func priorities() {
    let priorities = ImageRequest.Priority.allCases

    for (index, priority) in priorities.enumerated() {
      for (otherIndex, other) in priorities.enumerated() {
        #expect((priority < other) == (index < otherIndex))
      }
    }
  }

  @Test("An integrity is 64 ASCII digits, or the Base64 of 32 bytes")
  func integrity() {
    let wide = String(repeating: "０", count: 21) + "0"
    let short = Data(count: 31).base64EncodedString()
    let long = Data(count: 33).base64EncodedString()

    #expect(wide.utf8.count == 64 && wide.allSatisfy(\.isHexDigit))
    for text in [
      wide, Self.hash + "0", "sha256-\(short)", "sha256-\(long)", Data(count: 32).base64EncodedString(),
    ] {
      #expect(Integrity(text) == nil, "\(text)")
    }
    #expect(
      Integrity("sha256-\(Data(count: 32).base64EncodedString())")?.sha256
        == String(repeating: "0", count: 64))
    #expect(
      Integrity("sha256-\(Data(repeating: 0xA5, count: 32).base64EncodedString())")?.sha256
        == String(repeating: "a5", count: 32))
    #expect(Integrity(Self.hash)?.description == "sha256 9f86d081884c…")
  }

  @Test("A response is described by its size, its bytes and its origin")
  func responses() throws {
    var decoded = DecodedImage(try Pictures.gradient(4, 3), byteCount: 70)
    decoded.origin = .network
    func text(_ change: (inout DecodedImage) -> Void) -> String {
      var copy = decoded
      change(&copy)
      return ImageResponse(request: ImageRequest(url: Self.url), decoded: copy).description
    }

    #expect(text { _ in } == "4x3, 70 bytes, from network")
    #expect(text { $0.hit = .memory } == "4x3, 70 bytes, found in memory")
    #expect(text { $0.isPreview = true } == "4x3, 70 bytes, from network, preview")
  }

  @Test("The entity tag of a response is made of the number and the xxHash of its bytes")
  func tags() {
    func tag(_ text: String) -> String {
      let encoded = EncodedImage(Data(text.utf8), origin: .network, url: nil, contentType: nil)
      return DataResponse(request: ImageRequest(url: Self.url), encoded: encoded).entityTag
    }

    #expect(tag("abc") == "\"3-44bc2cf5ad770999\"")
    #expect(tag("") == "\"0-ef46db3751d8e999\"")
    #expect(tag(String(repeating: "a", count: 16)).hasPrefix("\"10-"))
  }

  @Test("Bytes and images that the program makes are whole, not shared, and from memory")
  func defaults() throws {
    let encoded = EncodedImage(Data([1]), origin: .network, url: nil, contentType: nil)
    let response = ImageResponse(
      request: ImageRequest(url: Self.url), decoded: DecodedImage(try Pictures.gradient(2, 1)))

    #expect(!encoded.isPreview && !encoded.wasCoalesced && encoded.job == nil)
    #expect(!response.isPreview && !response.wasCoalesced && response.origin == .memory)
    #expect(response.byteCount == 0 && response.format == nil && response.url == nil)
    #expect(response.cacheSource == nil && response.metadata == nil && response.timings == nil)
    for origin in [ImageOrigin.network, .program, .local, .disk, .memory] {
      var other = encoded
      other.origin = origin
      let source = DataResponse(request: ImageRequest(url: Self.url), encoded: other).cacheSource
      #expect(source == (origin == .disk ? .disk : nil))
    }
  }
}
