import Foundation
import LoopbackServer
import StreamImages

/// Searches the catalogue, on 127.0.0.1. Answers come out of order: short words, which find much, take longest.
struct MusicServer {
  private let server: LoopbackServer

  var searchAddress: URL { server.url("/search") }

  init(_ catalogue: Catalogue) throws {
    let server = try LoopbackServer()
    self.server = server
    for entry in catalogue.entries {
      let picture = Reply.bytes(
        Data(try ImageEncoder.encode(entry.artwork(), as: .png)), type: "image/png")
      server.serve(
        "/artwork/\(entry.id).png",
        picture.with { $0.delay = .milliseconds(entry.id * 37 % 5 * 20) })
    }
    server.serve("/search") { request in Self.answer(request, catalogue, server.url("/artwork/")) }
  }

  var searchCount: Int { count("/search") }
  var artworkCount: Int { count("/artwork/") }

  func stop() { server.stop() }

  /// Whether a search for `term` has come in so far.
  func wasAsked(for term: String) -> Bool { server.requests.contains { Self.term(of: $0) == term } }

  /// Returns when a search for `term` has come in.
  func request(for term: String) async {
    _ = await server.event { event in
      if case .requested(let request) = event { Self.term(of: request) == term } else { false }
    }
  }

  /// Returns when a search for `term` is over.
  ///
  /// - Returns: Whether it was answered; if not, nobody waited for it any more.
  func answer(to term: String) async -> Bool {
    let end = await server.event { event in
      if case .answered(let request, _, _) = event { Self.term(of: request) == term } else { false }
    }
    guard case .answered(_, let outcome, _) = end else { return false }
    return outcome == .sent
  }

  private func count(_ path: String) -> Int { server.requests.count { $0.path.hasPrefix(path) } }

  private static func answer(_ request: Request, _ catalogue: Catalogue, _ artwork: URL) -> Reply {
    guard let term = term(of: request), !term.isEmpty else { return .status(400) }
    let found = catalogue.entries(matching: term).map { entry in
      [
        "id": entry.id, "title": entry.title, "artist": entry.artist, "seconds": entry.seconds,
        "cents": entry.cents,
        "artwork": artwork.appendingPathComponent("\(entry.id).png").absoluteString,
      ] as [String: any Sendable]
    }
    guard let json = try? JSONSerialization.data(withJSONObject: found) else { return .status(500) }
    return .bytes(json, type: "application/json").with {
      $0.delay = .milliseconds(max(0, 600 - 200 * term.count))
    }
  }

  /// What a request searches for; `nil` if it is no search.
  private static func term(of request: Request) -> String? {
    guard request.path == "/search", let query = request.query else { return nil }
    return URLComponents(string: "/?" + query)?.queryItems?.first { $0.name == "term" }?.value
  }
}
