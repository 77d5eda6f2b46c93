import Foundation
import StreamImages
import StreamsExtras
import Testing

@Suite("Cache and job keys")
struct KeyTests {
  private static let url = URL(string: "https://example.org/a.png")!

  private static func request(_ headers: HeaderFields, _ method: DataRequest.Method = .get) -> ImageRequest {
    ImageRequest(DataRequest(url: url, method: method, headers: headers))
  }

  /// All keys of a request, so that they can be compared at once.
  private struct Keys: Hashable {
    let memory: ImageCacheKey
    let original: DataCacheKey?
    let variant: DataCacheKey?
    let dataJob: DataJobKey?
    let imageJob: ImageJobKey?

    init(_ request: ImageRequest) {
      memory = ImageCacheKey(request)
      original = .original(request)
      variant = .variant(request)
      dataJob = DataJobKey(request)
      imageJob = ImageJobKey(request)
    }

    func differs(from other: Keys) -> [Bool] {
      [
        memory != other.memory, original != other.original, variant != other.variant,
        dataJob != other.dataJob,
        imageJob != other.imageJob,
      ]
    }
  }

  @Test(
    "Requests for different bytes have different keys",
    arguments: [
      ("the method", request([:]), request([:], .head)),
      ("Accept", request(["Accept": "image/webp"]), request(["Accept": "image/png"])),
      ("a header that one has", request([:]), request(["Accept": "image/png"])),
      ("Authorization", request(["Authorization": "Bearer a"]), request(["Authorization": "Bearer b"])),
      ("Cookie", request(["cookie": "a"]), request(["cookie": "b"])),
      ("credentials that one has", request([:]), request(["Authorization": "Bearer a"])),
      (
        "the user in the URL", ImageRequest(url: URL(string: "https://a:b@example.org/a.png")),
        ImageRequest(url: URL(string: "https://c:d@example.org/a.png"))
      ),
      (
        "a header's value that looks like another header", request(["A": "b", "C": "d"]),
        request(["A": "bCd"])
      ),
      ("the query", "https://example.org/a.png?w=1" as ImageRequest, "https://example.org/a.png?w=2"),
      ("the scheme", "https://example.org/a.png", "http://example.org/a.png"),
    ])
  func different(_ row: (what: String, left: ImageRequest, right: ImageRequest)) {
    #expect(Keys(row.left).differs(from: Keys(row.right)) == [true, true, true, true, true])
  }

  @Test("Requests that keep different metadata share the load, and nothing else")
  func metadata() {
    var kept = ImageRequest(url: Self.url)
    kept.keptMetadata = .all
    var placed = kept
    placed.keptMetadata = [.all, .location]

    for (left, right) in [(ImageRequest(url: Self.url), kept), (kept, placed)] {
      #expect(Keys(left).differs(from: Keys(right)) == [true, false, true, false, true])
      #expect(left != right)
    }
    #expect("\(placed)".contains("keeping [color copyright descriptions location]"))
  }

  @Test(
    "Requests for the same bytes have equal keys",
    arguments: [
      ("the case of names", request(["ACCEPT": "a"]), request(["accept": "a"])),
      ("the order of headers", request(["A": "1", "B": "2"]), request(["B": "2", "A": "1"])),
      ("the fragment", "https://example.org/a.png#x" as ImageRequest, "https://example.org/a.png"),
      (
        "the priority", ImageRequest(url: url, priority: .high), ImageRequest(url: url, priority: .low)
      ),
      (
        "writing to caches", ImageRequest(url: url, options: .disableDiskCacheWrites), ImageRequest(url: url)
      ),
    ])
  func same(_ row: (what: String, left: ImageRequest, right: ImageRequest)) {
    #expect(Keys(row.left) == Keys(row.right))
  }

  @Test(
    "Requests with different network rules share cache keys and not jobs",
    arguments: [
      \DataRequest.allowsConstrainedNetworkAccess, \.allowsExpensiveNetworkAccess, \.allowsRedirects,
      \.allowsContentCoding,
    ] as [any WritableKeyPath<DataRequest, Bool> & Sendable])
  func rules(_ rule: any WritableKeyPath<DataRequest, Bool> & Sendable) {
    var other = DataRequest(url: Self.url)
    other[keyPath: rule].toggle()

    let (left, right) = (ImageRequest(DataRequest(url: Self.url)), ImageRequest(other))

    #expect(Keys(left).differs(from: Keys(right)) == [false, false, false, true, true])
  }

  @Test("Keys never contain credentials")
  func secrecy() throws {
    var request = Self.request(["Authorization": "Bearer opensesame"])
    request.address?.url = try #require(URL(string: "https://alibaba:opensesame@example.org/a.png"))

    let bytes = try #require(DataCacheKey.original(request)).bytes + DataCacheKey.variant(request)!.bytes
    #expect(!String(decoding: bytes, as: UTF8.self).contains("opensesame"))
    #expect(!"\(request)".contains("opensesame"))
  }

  @Test("Keys of a partition depend on its name and not on credentials")
  func partition() {
    var first = Self.request(["Authorization": "Bearer a"])
    var second = Self.request(["Authorization": "Bearer b"])
    first.cachePartition = "ann"
    second.cachePartition = "ann"
    #expect(Keys(first) == Keys(second))

    second.cachePartition = "ben"
    #expect(Keys(first).differs(from: Keys(second)) == [true, true, true, true, true])
  }

  @Test("Cache keys depend on the image ID alone, and job keys also on the URL")
  func id() {
    var first: ImageRequest = "https://example.org/a.png?token=1"
    var second: ImageRequest = "https://example.org/a.png?token=2"
    first.imageID = "a"
    second.imageID = "a"
    #expect(Keys(first).differs(from: Keys(second)) == [false, false, false, true, true])

    var third = first
    third.imageID = "b"
    #expect(Keys(first).differs(from: Keys(third)) == [true, true, true, true, true])
  }

  @Test("Images differ in key by each processing option, and their bytes do not")
  func variants() {
    let requests: [ImageRequest] = [
      ImageRequest(url: Self.url),
      ImageRequest(url: Self.url, processors: [.resize(width: 10)]),
      ImageRequest(url: Self.url, processors: [.resize(height: 10)]),
      ImageRequest(url: Self.url, processors: [.resize(width: 10, upscale: true)]),
      ImageRequest(url: Self.url, processors: [.resize(width: 10), .resize(height: 10)]),
      ImageRequest(url: Self.url, processors: [.resize(height: 10), .resize(width: 10)]),
      ImageRequest(url: Self.url, processors: [.process(id: "a") { $0 }]),
      ImageRequest(url: Self.url, processors: [.process(id: "a") { $0 }, .process(id: "b") { $0 }]),
      ImageRequest(url: Self.url, processors: [.process(id: "aanonymous b") { $0 }]),
      {
        var request = ImageRequest(url: Self.url)
        request.thumbnail = .init(maxPixelSize: 10)
        return request
      }(),
      {
        var request = ImageRequest(url: Self.url)
        request.scale = 2
        return request
      }(),
    ]

    #expect(Set(requests.map { ImageCacheKey($0) }).count == requests.count)
    #expect(Set(requests.map { DataCacheKey.variant($0) }).count == requests.count)
    #expect(Set(requests.map { ImageJobKey($0) }).count == requests.count)
    #expect(Set(requests.map { DataCacheKey.original($0) }).count == 1)
    #expect(Set(requests.map { DataJobKey($0) }).count == 1)
  }

  @Test("Each encoding, with each of its options, is stored apart")
  func encodings() {
    let encodings: [ImageEncoder.Encoding?] = [
      nil, .jpeg(quality: 0.5), .jpeg(quality: 0.6), .jpeg(quality: 0.5, progressive: true), .png,
      .webp(quality: 0.5), .webp(quality: 0.6), .webp(quality: 0.5, effort: 1), .losslessWebP,
      .avif(quality: 0.5), .avif(quality: 0.6), .heic(quality: 0.5), .heic(quality: 0.6),
      .jpegXL(quality: 0.5), .jpegXL(quality: 0.6), .jpegXL(quality: 0.5, effort: 1), .losslessJPEGXL(),
      .losslessJPEGXL(effort: 1),
    ]
    let requests = encodings.map { encoding in
      var request = ImageRequest(url: Self.url)
      request.encoding = encoding
      return request
    }

    #expect(Set(requests.map { DataCacheKey.variant($0) }).count == encodings.count)
    #expect(Set(requests.map { DataCacheKey.original($0) }).count == 1)
  }

  @Test("Keys of stored entries do not change, and have only what a request asks for")
  func stable() {
    var (original, variant) = (
      CanonicalBytes("stream-images original 1"), CanonicalBytes("stream-images variant 1")
    )
    func append(to canonical: inout CanonicalBytes) {
      canonical.append("GET")
      canonical.append(Self.url.absoluteString)
      canonical.append([])
      canonical.append(nil)
    }
    append(to: &original)
    append(to: &variant)
    variant.append("1.0")
    variant.append(nil)
    variant.append([])

    #expect(DataCacheKey.original(ImageRequest(url: Self.url))?.bytes == original.bytes)
    #expect(DataCacheKey.variant(ImageRequest(url: Self.url))?.bytes == variant.bytes)
  }

  @Test(
    "A key has headers sorted by name, those of one name in their order, and a partition only with credentials"
  )
  func resources() {
    var headers: HeaderFields = ["B": "3"]
    headers.append("a", "2")
    headers.append("A", "1")
    func key(_ headers: HeaderFields) -> ResourceKey {
      ResourceKey(DataRequest(url: Self.url, headers: headers))
    }

    #expect(key(headers).headers.map(\.text) == ["a", "2", "a", "1", "b", "3"])
    #expect(key(headers).partition == nil && key([:]).partition == nil)
    #expect(key(["Cookie": "a"]).partition != nil)
    #expect(key(["Cookie": "a"]).headers.isEmpty)
  }

  @Test("A URL that ends like a processor has a different key from the processed image")
  func craftedSuffix() {
    let processed = ImageRequest(url: Self.url, processors: [.process(id: "a") { $0 }])
    let crafted = ImageRequest(url: URL(string: "https://example.org/a.pnganonymous%20a"))

    #expect(DataCacheKey.variant(processed) != DataCacheKey.variant(crafted))
    #expect(DataCacheKey.variant(processed) != DataCacheKey.original(crafted))
  }

  @Test("A custom key equals no key of a request")
  func custom() {
    let request = ImageRequest(url: Self.url)

    #expect(ImageCacheKey("https://example.org/a.png") != ImageCacheKey(request))
    #expect(DataCacheKey("https://example.org/a.png") != DataCacheKey.original(request))
    #expect(DataCacheKey("a").name.utf8.count == 64)
  }
}
