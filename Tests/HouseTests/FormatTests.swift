import Foundation
import Testing

@Suite("Format registry")
struct FormatTests {
  /// The registry, the files of a format, and switches over encodings, which have other settings in each format.
  static let own = [
    "Sources/ImageCodecs/Formats/ImageFormat.swift",
    "Sources/ImageCodecs/Decoding/BoxesDecoder.swift",
    "Sources/ImageCodecs/Encoding/ImageEncoder.swift",
    "Sources/ImageCodecs/Encoding/ImageEncoder+Limit.swift",
    "Sources/StreamImages/Keys/DataCacheKey.swift",
  ]

  @Test("Only the registry and the files of a format name a format in a switch")
  func switches() throws {
    let formats = try #require(Repository.sources.first { $0.path == Self.own[0] }).lines
      .compactMap { $0.wholeMatch(of: /\ \ case (\w+)/)?.1 }
    // Not the cases of other types, which have values of their own.
    let label = try Regex("case (.*, )?\\.(\(formats.joined(separator: "|")))\\b(?!\\()")

    let naming = Repository.sources.filter { file in file.lines.contains { $0.code.contains(label) } }

    #expect(formats.count >= 14)
    #expect(
      naming.flatMap { file in Self.own.contains(file.path) ? [] : file.places { $0.contains(label) } } == [])
    #expect(Set(Self.own).subtracting(naming.map(\.path)) == [])
  }
}
