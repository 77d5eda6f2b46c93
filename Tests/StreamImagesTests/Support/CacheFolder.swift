import Foundation
import StreamImages
import Testing

/// The directory of a ``DataCache``, seen from outside.
struct CacheFolder {
  let folder: TemporaryFolder
  let directory: URL

  init() throws {
    folder = try TemporaryFolder()
    directory = folder.url.appending(path: "cache")
  }

  func cache(limit: Int = DataCache.defaultSizeLimit) -> DataCache {
    DataCache(directory: directory, sizeLimit: limit)
  }

  func file(of key: DataCacheKey) -> URL {
    directory.appending(path: "v1/\(key.name.prefix(2))/\(key.name).bin")
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: directory.appending(path: path).path)
  }

  /// Permission bits.
  func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.appending(path: path).path)
    return try #require(attributes[.posixPermissions] as? Int)
  }
}

/// So many bytes that tell their seed.
func content(_ count: Int, seed: UInt8 = 0) -> CachedData {
  CachedData(Data((0..<count).map { UInt8(truncatingIfNeeded: $0) &+ seed }))
}
