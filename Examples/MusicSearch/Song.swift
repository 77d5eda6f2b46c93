import Foundation

/// A song that a search finds.
struct Song: Decodable, Hashable, Sendable {
  let id: Int
  let title: String
  let artist: String
  let seconds: Int
  let cents: Int
  let artwork: URL

  /// 3:05
  var length: String { "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)" }
  /// 0.99
  var price: String { "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)" }
}
