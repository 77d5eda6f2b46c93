import Foundation
import LoopbackServer
import StreamImages
import Streams
import Testing

/// The whole table of what is kept on disk: policy, what is done to the picture, where it comes from, what the request
/// allows. "o" stands for the bytes as they were loaded, "v" for the picture as it was delivered.
@Suite("Storage policy", .timeLimit(.minutes(20)))
struct StoragePolicyTests {
  typealias Policy = ImagePipeline.DataCachePolicy

  private static let table: [(Policy, [String])] = [
    (.storeOriginalData, ["o", "o", "o", "o"]),
    (.automatic, ["o", "v", "ov", "v"]),
    (.storeEncodedImages, ["v", "v", "v", "v"]),
    (.storeAll, ["o", "ov", "ov", "ov"]),
  ]

  /// Plain, processed, a thumbnail, a processed thumbnail.
  private static func requests(_ url: URL, _ options: ImageRequest.Options = []) -> [ImageRequest] {
    variants(of: ImageRequest(url: url, options: options))
  }

  private static func variants(of plain: ImageRequest) -> [ImageRequest] {
    var processed = plain
    processed.processors = [.resize(width: 10)]
    var thumbnail = plain
    thumbnail.thumbnail = .init(maxPixelSize: 20)
    var both = processed
    both.thumbnail = thumbnail.thumbnail
    return [plain, processed, thumbnail, both]
  }

  /// What lies on the disk of a request.
  private static func kept(_ workshop: Workshop, _ request: ImageRequest) async -> String {
    let disk = DataCache(directory: workshop.cacheDirectory)
    let original = DataCacheKey.original(request).map { ($0, "o") }
    let variant = DataCacheKey.variant(request).map { ($0, "v") }
    var kept = ""
    for (key, letter) in [original, variant].compactMap(\.self) where await disk.contains(key) {
      kept += letter
    }
    return kept
  }

  private static func make(_ workshop: Workshop, _ policy: Policy, _ requests: ImageRequest...) async throws {
    try await make(with: workshop.pipeline { $0.dataCachePolicy = policy }, requests)
  }

  private static func make(with pipeline: ImagePipeline, _ requests: [ImageRequest]) async throws {
    try await withThrowingTaskGroup { group in
      for request in requests { group.addTask { _ = try await pipeline.image(for: request) } }
      try await group.waitForAll()
    }
    await pipeline.flush()
  }

  @Test(
    "A network image is stored according to the policy and found in the next run",
    arguments: table)
  func network(_ row: (policy: Policy, kept: [String])) async throws {
    for index in 0..<4 {
      try await withWorkshop { workshop in
        workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
        let request = Self.requests(workshop.server.url("/a"))[index]

        try await Self.make(workshop, row.policy, request)
        let kept = await Self.kept(workshop, request)
        let again = try await workshop.pipeline { $0.dataCachePolicy = row.policy }.response(for: request)

        #expect(kept == row.kept[index], "\(index)")
        #expect(again.origin == .disk)
        #expect(workshop.loads(of: "/a") == 1)
        #expect((again.cacheSource == .disk) == (index == 0 || kept.contains("v")), "\(index)")
      }
    }
  }

  @Test(
    "Two concurrent variants load once and store what each needs",
    arguments: zip(table.map(\.0), [("o", "o"), ("o", "ov"), ("v", "v"), ("o", "ov")]))
  func together(policy: Policy, kept: (plain: String, small: String)) async throws {
    try await withWorkshop { workshop in
      let gate = try Gate()
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()).with { $0.gate = gate })
      let requests = Self.requests(workshop.server.url("/a"))
      let pipeline = workshop.pipeline { $0.dataCachePolicy = policy }
      let loading = Task { try await Self.make(with: pipeline, Array(requests.prefix(2))) }
      // The two, and what they wait for: both for the bytes, or the smaller one for the picture that waits for them.
      await until { pipeline.images.waitingCount + pipeline.originals.waitingCount == 4 }
      gate.open()
      try await loading.value

      #expect(await Self.kept(workshop, requests[0]) == kept.plain)
      #expect(await Self.kept(workshop, requests[1]) == kept.small)
      #expect(workshop.loads(of: "/a") == 1)
    }
  }

  @Test(
    "A request that forbids writing stores nothing, unless a request that allows it shares its load",
    arguments: table)
  func forbidden(_ row: (policy: Policy, kept: [String])) async throws {
    for index in 0..<4 {
      try await withWorkshop { workshop in
        workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
        let url = workshop.server.url("/a")
        let silent = Self.requests(url, .disableDiskCacheWrites)[index]

        try await Self.make(workshop, row.policy, silent)
        #expect(workshop.cachedFiles == [])

        let (request, gate) = (Self.requests(url)[index], try Gate())
        workshop.server.serve("/a", .bytes(try Pictures.jpeg()).with { $0.gate = gate })
        let pipeline = workshop.pipeline { $0.dataCachePolicy = row.policy }
        let making = Task { try await Self.make(with: pipeline, [silent, request]) }
        // Both wait for one job: a request that comes later takes the image from memory, and stores nothing.
        await until { pipeline.images.waitingCount > pipeline.images.count }
        gate.open()
        try await making.value
        #expect(await Self.kept(workshop, request) == row.kept[index], "\(index)")
      }
    }
  }

  @Test(
    "Local URLs store no original bytes, and files store nothing",
    arguments: table)
  func local(_ row: (policy: Policy, kept: [String])) async throws {
    try await withWorkshop { workshop in
      let picture = try Pictures.png()
      let file = try workshop.folder.file("a.png", picture)
      let inline = try #require(URL(string: "data:image/png;base64,\(picture.base64EncodedString())"))
      for index in 0..<4 {
        let (ofFile, ofData) = (Self.requests(file)[index], Self.requests(inline)[index])
        try await Self.make(workshop, row.policy, ofFile)
        try await Self.make(workshop, row.policy, ofData)

        #expect(await Self.kept(workshop, ofFile) == "")
        let variant = index > 0 && row.kept[index].contains("v")
        #expect(await Self.kept(workshop, ofData) == (variant ? "v" : ""), "\(index)")
      }
    }
  }

  @Test(
    "Bytes from closures and publishers are stored under their ID like network bytes",
    arguments: table)
  func closures(_ row: (policy: Policy, kept: [String])) async throws {
    let picture = try Pictures.jpeg()
    for index in 0..<4 {
      try await withWorkshop { workshop in
        let calls = Shared(0)
        @Sendable func called() -> Data {
          calls.change { $0 += 1 }
          return picture
        }
        let ofClosure = ImageRequest(id: "a", data: { called() })
        let ofPublisher = ImageRequest(id: "b", publisher: { Just(called()) })
        for source in [ofClosure, ofPublisher] {
          let request = Self.variants(of: source)[index]

          try await Self.make(workshop, row.policy, request)
          let again = try await workshop.pipeline { $0.dataCachePolicy = row.policy }.response(for: request)

          #expect(await Self.kept(workshop, request) == row.kept[index], "\(index)")
          #expect(again.origin == .disk)
        }
        #expect(calls.value == 2)
      }
    }
  }

  @Test(
    "An image from a closure is stored only as a variant",
    arguments: table)
  func pictures(_ row: (policy: Policy, kept: [String])) async throws {
    for index in 0..<4 {
      try await withWorkshop { workshop in
        let source = ImageRequest(id: "a", image: { try Image(width: 64, height: 48, pixelFormat: .rgb8) })
        let request = Self.variants(of: source)[index]

        try await Self.make(workshop, row.policy, request)

        #expect(await Self.kept(workshop, request) == (row.kept[index].contains("v") ? "v" : ""), "\(index)")
      }
    }
  }

  @Test("Previews are never stored, whether the load succeeds or fails", arguments: table)
  func previews(_ row: (policy: Policy, kept: [String])) async throws {
    for index in 0..<4 {
      try await withWorkshop { workshop in
        let picture = try Pictures.progressiveJPEG(320, 240)
        let gate = try Gate()
        let half = Reply.bytes(picture).with { $0.bodyGate = (picture.count / 2, gate) }
        workshop.server.serve("/whole", half)
        workshop.server.serve(
          "/broken", half.with { $0.fault = .close(afterBodyBytes: picture.count * 3 / 4) })
        let pipeline = workshop.pipeline {
          ($0.dataCachePolicy, $0.isProgressiveDecodingEnabled) = (row.policy, true)
        }
        let requests = ["/whole", "/broken"].map { Self.requests(workshop.server.url($0))[index] }

        let tasks = requests.map(pipeline.imageTask(with:))
        await until { tasks.allSatisfy { $0.status.preview != nil } }
        await pipeline.flush()
        #expect(workshop.cachedFiles == [])
        gate.open()
        _ = try await tasks[0].image
        let failure = await tasks[1].failure()
        if case .dataLoadingFailed(.truncated) = failure {} else { unexpected(failure) }
        await pipeline.flush()

        #expect(await Self.kept(workshop, requests[0]) == row.kept[index], "\(index)")
        #expect(await Self.kept(workshop, requests[1]) == "")
      }
    }
  }

  @Test("An image derived from bytes on disk is stored like a network image", arguments: table)
  func derivedFromOriginal(_ row: (policy: Policy, kept: [String])) async throws {
    for index in 1..<4 {
      try await withWorkshop { workshop in
        workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
        let requests = Self.requests(workshop.server.url("/a"))
        try await Self.make(workshop, .storeOriginalData, requests[0])

        try await Self.make(workshop, row.policy, requests[index])

        let variant = row.kept[index].contains("v") ? "ov" : "o"
        #expect(await Self.kept(workshop, requests[index]) == variant, "\(index)")
        #expect(workshop.loads(of: "/a") == 1)
      }
    }
  }

  @Test(
    "An image derived from a processed one on disk is stored", arguments: [Policy.automatic, .storeAll])
  func derivedFromVariant(_ policy: Policy) async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      let url = workshop.server.url("/a")
      let first = ImageRequest(url: url, processors: [.resize(width: 20)])
      let second = ImageRequest(url: url, processors: [.resize(width: 20), .circle()])
      try await Self.make(workshop, policy, first)

      try await Self.make(workshop, policy, second)

      #expect(await Self.kept(workshop, second).contains("v"))
      #expect(workshop.loads(of: "/a") == 1)
      #expect(try await workshop.pipeline().response(for: second).cacheSource == .disk)
    }
  }

  @Test(
    "An image derived from one in memory is stored without another load", arguments: table)
  func derivedFromMemory(_ row: (policy: Policy, kept: [String])) async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      let requests = Self.requests(workshop.server.url("/a"), .disableDiskCacheReads)
      let pipeline = workshop.pipeline { $0.dataCachePolicy = row.policy }
      _ = try await pipeline.image(for: requests[0])

      _ = try await pipeline.image(for: requests[1])
      await pipeline.flush()

      #expect(await Self.kept(workshop, requests[1]).contains("v") == row.kept[1].contains("v"))
      #expect(workshop.loads(of: "/a") == 1)
    }
  }

  @Test("An image that cannot be decoded or processed is not stored", arguments: table.map(\.0))
  func failures(_ policy: Policy) async throws {
    struct Broken: Error {}
    try await withWorkshop { workshop in
      workshop.server.serve("/page", .html("<html>Please log in"))
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      let pipeline = workshop.pipeline { $0.dataCachePolicy = policy }
      let unprocessable = Self.requests(workshop.server.url("/a")).map { request in
        var request = request
        request.processors.append(ScriptedProcessor("a") { _ in throw Broken() })
        return request
      }

      for request in Self.requests(workshop.server.url("/page")) {
        let error = await imageFailure { () throws(ImagePipeline.Error) in
          try await pipeline.image(for: request)
        }
        if case .notAnImage = error {} else { unexpected(error) }
      }
      for request in unprocessable {
        let error = await imageFailure { () throws(ImagePipeline.Error) in
          try await pipeline.image(for: request)
        }
        if case .processingFailed(_, is Broken) = error {} else { unexpected(error) }
      }
      await pipeline.flush()

      #expect(workshop.cachedFiles == [])
    }
  }

  @Test("A small image and then a large one load once and store both")
  func smallThenLarge() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      let requests = Self.requests(workshop.server.url("/a"))
      let pipeline = workshop.pipeline()

      _ = try await pipeline.image(for: requests[1])
      await pipeline.flush()
      #expect(await Self.kept(workshop, requests[1]) == "v")
      let large = try await pipeline.image(for: requests[0])
      await pipeline.flush()

      #expect(large.width == 64)
      #expect(workshop.loads(of: "/a") == 1)
      #expect(await Self.kept(workshop, requests[1]) == "ov")
    }
  }

  @Test("Reloading does not use recently loaded bytes")
  func anew() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      let url = workshop.server.url("/a")
      let pipeline = workshop.pipeline()
      _ = try await pipeline.image(for: Self.requests(url)[1])

      _ = try await pipeline.image(for: ImageRequest(url: url, options: .reloadIgnoringCachedData))

      #expect(workshop.loads(of: "/a") == 2)
    }
  }

  @Test("Recently loaded bytes expire after a minute or beyond their limit")
  func recents() {
    let (start, elapsed) = (ContinuousClock.now, Shared(Duration.zero))
    let recents = RecentOriginals(byteLimit: 1_000) { start.advanced(by: elapsed.value) }
    func bytes(_ count: Int) -> EncodedImage {
      EncodedImage(Data(count: count), origin: .network, url: nil, contentType: nil)
    }

    for name in 0..<5 { recents.keep(bytes(250), for: DataCacheKey("\(name)")) }
    recents.keep(bytes(300), for: DataCacheKey("large"))

    #expect(recents[DataCacheKey("0")] == nil)
    #expect(recents[DataCacheKey("large")] == nil)
    #expect(recents[DataCacheKey("4")] != nil)
    elapsed.change { $0 = .seconds(60) }
    #expect(recents[DataCacheKey("4")] == nil)
  }
}
