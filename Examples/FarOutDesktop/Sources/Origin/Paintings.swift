import Foundation
import StreamImages

/// The files of the paintings: small ones, and the same large. Each is painted when it is first wanted, and kept.
final class Paintings: Sendable {
  let count: Int
  private let folder: URL

  init(count: Int, folder: URL) throws {
    self.count = count
    self.folder = folder
    for size in ["small", "large"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: size), withIntermediateDirectories: true)
    }
  }

  /// 324 to 540 pixels wide.
  func small(_ number: Int) throws -> Data { try file("small/\(number).jpg", Sky(number, scale: 0.27)) }

  /// 1 200 to 2 000 pixels wide.
  func large(_ number: Int) throws -> Data { try file("large/\(number).jpg", Sky(number)) }

  /// A line of the list: what is known of a painting before it is loaded.
  struct Entry: Codable, Sendable {
    let number: Int
    let title: String
    let thumbHash: ThumbHash
  }

  /// The list as JSON. It is made once, and kept: the hashes are those of very small paintings.
  func list() throws -> Data {
    let url = folder.appending(path: "photos-\(count).json")
    if let known = try? Data(contentsOf: url) { return known }
    let entries = try (1...count).map { number in
      let sky = Sky(number, scale: 0.02)
      return Entry(number: number, title: sky.title, thumbHash: try ThumbHash(encoding: sky.image()))
    }
    let bytes = try JSONEncoder().encode(entries)
    try bytes.write(to: url, options: .atomic)
    return bytes
  }

  /// Makes the list, and paints the small ones that are missing.
  func paintAll() throws {
    _ = try list()
    DispatchQueue.concurrentPerform(iterations: count) { index in _ = try? small(index + 1) }
  }

  private func file(_ path: String, _ sky: Sky) throws -> Data {
    let url = folder.appending(path: path)
    if let known = try? Data(contentsOf: url) { return known }
    let bytes = Data(try ImageEncoder.encode(try sky.image(), as: .jpeg(quality: 0.88)))
    try bytes.write(to: url, options: .atomic)
    return bytes
  }
}
