import Foundation
import StreamImages
import StreamImagesS3
import StreamImagesTesting
import StreamsTesting
import Testing

@Suite(
  "A bucket as a cache", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: ObjectStore.python != nil, "Scripts/integrations installs the store for these tests"))
struct S3DataCacheTests {
  private let store: ObjectStore
  private let errors = Journal()
  private let entry = CachedData(Data((0..<5000).map { UInt8($0 % 251) }), attributes: ["url": "https://ü"])

  init() throws { store = try ObjectStore.shared.get() }

  /// Each has connections of its own, as a server has.
  private func cache(
    _ bucket: String = "thumbnails", prefix: String = "\(UUID())/", as credentials: S3Credentials? = nil,
    _ limits: LoadLimits = S3DataCache.defaultLimits
  ) -> S3DataCache {
    let errors = errors
    return S3DataCache(
      bucket: bucket, prefix: prefix, endpoint: store.endpoint(credentials), loader: CurlLoader(),
      limits: limits
    ) { errors.note($0.code) }
  }

  @Test(
    "An entry that one server stores is read by another, with its attributes",
    arguments: ["thumbnails", "dotted.name"])
  func sharing(bucket: String) async throws {
    let (first, second) = (cache(bucket, prefix: "p q/"), cache(bucket, prefix: "p q/"))
    let key = DataCacheKey("shared \(bucket)")

    try await first.store(entry, for: key)

    #expect(await second.data(for: key) == entry)
    #expect(await second.contains(key))
    #expect(errors.lines == [])
  }

  @Test("An entry that was replaced or removed is what the other server finds")
  func changes() async throws {
    let (first, second) = (cache(prefix: "changes/"), cache(prefix: "changes/"))
    let key = DataCacheKey("changes")
    let other = CachedData(Data("other".utf8))
    try await first.store(entry, for: key)
    try await first.store(other, for: key)
    #expect(await second.data(for: key) == other)

    await first.remove(key)

    #expect(await second.data(for: key) == nil)
    #expect(!(await second.contains(key)))
    #expect(errors.lines == [])
  }

  // Without a slash in the prefix: the store refuses listings with one, also those that its own client signs.
  @Test("All entries are listed and removed, and other objects stay")
  func listing() async throws {
    let (cache, other) = (cache(prefix: "list and-"), cache(prefix: "list"))
    let keys = (0..<12).map { DataCacheKey("entry \($0)") }
    for key in keys { try await cache.store(CachedData(Data([1])), for: key) }
    try await other.store(entry, for: keys[0])
    var note = DataRequest(url: URL(string: "s3://thumbnails/list%20and-README")!, method: .put)
    note.body = Data("not an entry".utf8)
    let loader = S3Loader(store.endpoint())
    _ = try await loader.data(for: note)
    #expect(Set(try await cache.names()) == Set(keys.map(\.name)))

    await cache.removeAll()

    #expect(try await cache.names() == [])
    #expect(await other.data(for: keys[0]) == entry)
    note.method = .get
    note.body = nil
    #expect(try await loader.data(for: note).body == Data("not an entry".utf8))
    #expect(errors.lines == [])
  }

  @Test("A damaged object and a copy of another entry are misses")
  func damage() async throws {
    let cache = cache(prefix: "damage/")
    let (key, other) = (DataCacheKey("damaged"), DataCacheKey("other"))
    let loader = S3Loader(store.endpoint())
    let url = { (key: DataCacheKey) in URL(string: "s3://thumbnails/damage/\(key.name)")! }
    try await cache.store(entry, for: key)
    let whole = try await loader.data(for: DataRequest(url: url(key))).body
    var damaged = whole
    damaged[damaged.count - 1] ^= 1

    for (key, body) in [(key, damaged), (key, Data()), (key, whole.prefix(100)), (other, whole)] {
      var request = DataRequest(url: url(key), method: .put)
      request.body = body
      _ = try await loader.data(for: request)
      #expect(await cache.data(for: key) == nil)
    }
  }

  @Test("A missing entry is no error")
  func missing() async {
    #expect(await cache().data(for: DataCacheKey("missing")) == nil)
    #expect(errors.lines == [])
  }

  @Test("A user without rights, a false secret and a missing bucket have their errors")
  func refusals() async throws {
    let key = DataCacheKey("refused")
    let forger = S3Credentials(accessKey: store.owner.accessKey, secretKey: "false")

    for credentials in [store.stranger, forger] {
      let cache = cache(as: credentials)
      #expect(await cache.data(for: key) == nil)
      let error = await #expect(throws: DataCacheError.self) { try await cache.store(entry, for: key) }
      guard case .systemError(_, nil, EACCES)? = error else {
        Issue.record("Not a refusal: \(String(describing: error))")
        continue
      }
    }
    #expect(errors.lines.count == 2)
    await #expect(throws: DataCacheError.self) { try await cache("nowhere").store(entry, for: key) }
  }

  @Test("A store that is slow is a miss when the time is over, and is not asked again")
  func slow() async {
    var limits = S3DataCache.defaultLimits
    limits.totalTimeout = .milliseconds(300)
    let start = ContinuousClock.now

    #expect(await cache("slow", limits).data(for: DataCacheKey("slow")) == nil)

    #expect(errors.lines == [DataLoadingError.timedOut(.total).code])
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test("A body that breaks off is a miss, and is reported")
  func broken() async throws {
    let cache = cache("broken")
    let key = DataCacheKey("broken")
    try await cache.store(entry, for: key)

    #expect(await cache.data(for: key) == nil)

    #expect(errors.lines.count == 1)
    #expect(await cache.contains(key))
  }

  @Test("A store that answers 503 is asked again")
  func busy() async throws {
    let cache = cache("busy")
    let key = DataCacheKey("busy")

    try await cache.store(entry, for: key)

    #expect(await cache.data(for: key) == entry)
    #expect(errors.lines == [])
  }

  @Test("A bucket that is full is the error of a full disk")
  func full() async {
    await #expect(throws: DataCacheError.diskFull) {
      try await cache("full").store(entry, for: DataCacheKey("full"))
    }
  }
}

@Suite("Listings of a bucket")
struct S3ListingTests {
  @Test("A listing of several pages is read to its end")
  func pages() async throws {
    let network = PagedStore()
    let cache = S3DataCache(
      bucket: "photos", prefix: "p/",
      endpoint: S3Endpoint(url: URL(string: "https://s3.example")!, credentials: .anonymous), loader: network)

    let names = try await cache.names()

    #expect(names == [String(repeating: "a", count: 64), String(repeating: "b", count: 64)])
  }

  @Test(
    "Entries whose prefix has a space are removed, although a listing of AWS has a plus sign in its place")
  func spaces() async throws {
    let name = String(repeating: "a", count: 64)
    let text = """
      <ListBucketResult><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>
      <Contents><Key>my+thumbnails%2B/\(name)</Key></Contents></ListBucketResult>
      """
    let url = URL(string: "https://s3.example")!
    let network = ScriptedLoader(head: LoadedHead(url: url), chunks: [Data(text.utf8)])
    let cache = S3DataCache(
      bucket: "photos", prefix: "my thumbnails+/", endpoint: S3Endpoint(url: url, credentials: .anonymous),
      loader: network)

    await cache.removeAll()

    #expect(network.requests.map(\.method) == [.get, .delete])
    #expect(
      network.requests.last?.url.absoluteString == "https://s3.example/photos/my%20thumbnails%2B/\(name)")
  }

  /// Two pages, with an object that is no entry. The token is one that XML and URLs encode.
  private struct PagedStore: DataLoading {
    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      let isSecond = request.url.query()?.contains("continuation-token=a%26b%2F") == true
      let name = isSecond ? String(repeating: "b", count: 64) : String(repeating: "a", count: 64)
      let more = isSecond ? "" : "<NextContinuationToken>a&amp;b/</NextContinuationToken>"
      let text = """
        <ListBucketResult><IsTruncated>\(!isSecond)</IsTruncated>\(more)<Contents><Key>p%2F\(name)</Key></Contents>
        <Contents><Key>p%2FREADME</Key></Contents></ListBucketResult>
        """
      return try await ScriptedLoader(head: LoadedHead(url: request.url), chunks: [Data(text.utf8)])
        .load(request, limits: limits)
    }
  }
}
