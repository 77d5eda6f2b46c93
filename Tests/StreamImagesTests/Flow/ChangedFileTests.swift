import Foundation
import StreamImages
import StreamsExtras
import Testing

@Suite("`ImagePipeline`: changed files")
struct ChangedFileTests {
  private let folder: TemporaryFolder
  private let pipeline = ImagePipeline { configuration in
    configuration.dataCache = nil
    configuration.imageCache = ImageCache(costLimit: 1 << 20)
  }
  private let start = Date(timeIntervalSince1970: 1_700_000_000)

  init() throws { folder = try TemporaryFolder() }

  /// A file without compression, so that all levels have the same size.
  private func write(_ level: UInt8, width: Int = 4, to name: String = "a.bmp", _ modified: Date) throws
    -> URL
  {
    var bytes = Data("BM".utf8) + Data(repeating: 0, count: 52) + Data(repeating: level, count: width * 12)
    for (index, value) in [(2, bytes.count), (10, 54), (14, 40), (18, width), (22, 3)] {
      withUnsafeBytes(of: UInt32(value).littleEndian) { bytes.replaceSubrange(index..<index + 4, with: $0) }
    }
    (bytes[26], bytes[28]) = (1, 24)
    let file = try folder.file(name, bytes)
    try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: file.path)
    return file
  }

  private func level(_ request: ImageRequest) async throws -> UInt8? {
    try await pipeline.image(for: request).pixel(x: 0, y: 0)?.red
  }

  private func requests(_ file: URL) -> [ImageRequest] {
    [ImageRequest(url: file), ImageRequest(url: file, processors: [.resize(width: 2)])]
  }

  @Test("An image of an unchanged file is returned from memory")
  func same() async throws {
    let file = try write(10, start)
    for request in requests(file) {
      _ = try await pipeline.image(for: request)
      #expect(await pipeline.cache.contains(request, in: .memory))
      #expect(try await pipeline.response(for: request).origin == .memory)
    }
  }

  @Test("A file is read again after its time, size or identity changes")
  func changed() async throws {
    let file = try write(10, start)
    let changes: [(String, () throws -> Void)] = [
      ("time", { _ = try write(20, start + 60) }),
      ("an earlier time", { _ = try write(30, start - 60) }),
      ("size", { _ = try write(40, width: 8, start - 60) }),
      (
        "identity",
        {
          let other = try write(50, width: 8, to: "b.bmp", start - 60)
          #expect(rename(other.path, file.path) == 0)
        }
      ),
    ]
    for (index, change) in changes.enumerated() {
      for request in requests(file) { _ = try await pipeline.image(for: request) }

      try change.1()

      for request in requests(file) {
        #expect(!(await pipeline.cache.contains(request, in: .memory)), "\(change.0)")
      }
      #expect(try await pipeline.response(for: file).origin == .local, "\(change.0)")
      for request in requests(file) {
        #expect(try await level(request) == UInt8(20 + index * 10), "\(change.0)")
        #expect(try await pipeline.response(for: request).origin == .memory, "\(change.0)")
      }
    }
  }

  @Test("An image of a deleted file is not returned from memory")
  func removed() async throws {
    let file = try write(10, start)
    _ = try await pipeline.image(for: file)

    try FileManager.default.removeItem(at: file)

    let error = await imageFailure { () throws(ImagePipeline.Error) in try await pipeline.image(for: file) }
    #expect(error?.dataLoadingError == .fileNotFound(path: file.path))
  }

  @Test("`FetchImage` shows an unchanged file at once, and not an outdated image")
  @MainActor func views() async throws {
    let file = try write(10, start)
    let image = FetchImage(pipeline: pipeline)
    _ = try await pipeline.image(for: file)
    image.load(ImageRequest(url: file))
    #expect(image.image?.pixel(x: 0, y: 0)?.red == 10)

    _ = try write(20, start + 60)
    image.load(ImageRequest(url: file))

    #expect(image.image?.pixel(x: 0, y: 0)?.red != 10)
  }
}
