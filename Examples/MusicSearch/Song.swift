import Foundation

/// What a search finds.
struct Song: Decodable, Hashable, Sendable {
  let id: Int
  let title: String
  let artist: String
  let artwork: URL
}
