import Foundation
import LoopbackServer
import StreamImages

/// Serves the photographs that come with this example on 127.0.0.1, slowly enough to see.
struct PhotographServer {
  /// So many bytes arrive in a second.
  static let pace = 1_000_000

  /// The names, each with a hash, as an index of photographs would list them.
  private static let index = [
    ("hubble.jpg", "BfgBBoAHZWu5FZi1UqljiZbUpq5ggBs="), ("astronaut.png", "3EgKFwhpaIVPh2aHVnh5WIdp+SVif0IG"),
    ("dandelions.jpg", "FAkSFIRodoePdnh6h3l3j3L1WA=="),
  ]

  let photographs: [Photograph]
  private let server: LoopbackServer

  init() throws {
    let server = try LoopbackServer()
    self.server = server
    photographs = try Self.index.map { name, hash in
      guard let file = Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Photographs")
      else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Photographs/\(name)"]) }
      let type = ImageFormat(fileExtension: file.pathExtension)?.mimeType ?? "application/octet-stream"
      let reply = Reply.bytes(try Data(contentsOf: file), type: type)
      server.serve(
        "/\(name)", reply.with { $0.pace = Reply.Pace(bytesPerSecond: Self.pace, pieceByteCount: 16_384) })
      return Photograph(
        name: name, url: server.url("/\(name)"), id: "ChainedLoad/\(name)",
        placeholder: try ThumbHash(hash).image())
    }
  }

  /// How often it was asked for anything.
  var requestCount: Int { server.requests.count }

  func stop() { server.stop() }
}
