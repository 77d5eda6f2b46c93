import Foundation
import LoopbackServer
import StreamImages
import Studio

/// Serves paintings on 127.0.0.1, slowly enough to see.
struct PaintingServer {
  let urls: [URL]
  private let server: LoopbackServer

  init() throws {
    let server = try LoopbackServer()
    self.server = server
    for number in 1...4 {
      let bytes = try ImageEncoder.encode(Painting(number).image(), as: .jpeg(quality: 0.9))
      server.serve(
        "/painting-\(number).jpg",
        .bytes(Data(bytes), type: "image/jpeg").with { $0.delay = .milliseconds(100) })
    }
    // The last is not there.
    urls = (1...5).map { server.url("/painting-\($0).jpg") }
  }

  /// How often it was asked for anything.
  var requestCount: Int { server.requests.count }

  func stop() { server.stop() }
}
