import Foundation
import StreamImages
import Studio

/// The songs of the server.
struct Catalogue: Sendable {
  struct Entry: Decodable, Sendable {
    let id: Int
    let title: String
    let artist: String
    let seconds: Int
    let cents: Int
    /// Of the artwork, as `#rrggbb`.
    let color: String
  }

  let entries: [Entry]

  /// Reads the one that comes with this example.
  init() throws {
    guard let file = Bundle.module.url(forResource: "catalogue", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "catalogue.json"])
    }
    entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: file))
  }

  func entries(matching term: String) -> [Entry] {
    entries.filter { ($0.title + " " + $0.artist).lowercased().contains(term.lowercased()) }
  }
}

extension Catalogue.Entry {
  /// A black record with a label, on a sleeve; label and sleeve have the song's colour.
  func artwork() throws(ImageCodecError) -> Image {
    let side = 64
    var bytes: [UInt8] = []
    let value = UInt32(color.dropFirst(), radix: 16) ?? 0
    let paint = [UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    for y in 0..<side {
      for x in 0..<side {
        let distance = (x - side / 2) * (x - side / 2) + (y - side / 2) * (y - side / 2)
        bytes += (576..<900).contains(distance) ? [20, 20, 20] : paint
      }
    }
    return try Image(bytes: bytes, width: side, height: side, pixelFormat: .rgb8)
  }
}
