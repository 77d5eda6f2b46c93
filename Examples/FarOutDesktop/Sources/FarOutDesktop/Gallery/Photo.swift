import Foundation
import StreamImages

/// An image of the gallery, as the server lists it.
struct Photo: Sendable, Codable, Hashable {
  let number: Int
  let title: String
  /// A few bytes that are shown until there is more.
  let thumbHash: ThumbHash
}

extension Photo {
  /// Whether each word of `term` begins a word of the title.
  func matches(_ term: String) -> Bool {
    let words = title.lowercased().split(separator: " ")
    return term.lowercased().split(separator: " ").allSatisfy { part in words.contains { $0.hasPrefix(part) }
    }
  }
}
