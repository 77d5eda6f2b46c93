internal import Foundation
package import StreamImages

/// How long an origin allows its image to be stored: RFC 9111, as a shared cache reads it.
package struct OriginCaching: Hashable, Sendable {
  /// In seconds since 1970; `nil` if the origin does not say.
  package var freshUntil: Int?
  /// False for `no-store` and `private`: then the server keeps nothing that is made of the image.
  var isStorable = true
  /// Whether a client may store it, but no server on the way.
  var isPrivate = false
  /// Directives that are passed on as they are, such as `immutable`.
  var directives: [String] = []
  package var lastModified: String?

  private static let passedDirectives = [
    "immutable", "must-revalidate", "proxy-revalidate", "stale-while-revalidate", "stale-if-error",
  ]

  /// Whether a thumbnail may be sent again without asking the origin.
  package func isFresh(now: Int) -> Bool { isStorable && freshUntil.map { $0 > now } ?? true }

  /// The value of `Cache-Control`.
  ///
  /// - Parameters:
  ///   - usual: In seconds, for an origin that does not say how long its image is fresh.
  ///   - limit: In seconds: the end of a signed URL.
  package func field(now: Int, usual: Int, limit: Int) -> String {
    guard isStorable || isPrivate else { return "no-store" }
    let seconds = min(limit, maxAge(now: now, usual: usual))
    guard seconds > 0 else { return isPrivate ? "private, no-cache" : "no-cache" }
    return ([isPrivate ? "private" : "public", "max-age=\(seconds)"] + directives).joined(separator: ", ")
  }

  /// In seconds.
  func maxAge(now: Int, usual: Int) -> Int { freshUntil.map { max(0, $0 - now) } ?? usual }
}

extension OriginCaching {
  /// - Parameters:
  ///   - requestTime: When the response was asked for, in seconds since 1970.
  ///   - now: When its head was there.
  package init(_ headers: HeaderFields, requestTime: Int, now: Int) {
    let found = Self.directives(headers)
    isPrivate = found["private"] != nil && found["no-store"] == nil
    isStorable = found["no-store"] == nil && !isPrivate
    directives = Self.passedDirectives.compactMap { name in
      found[name].map { $0.isEmpty ? name : "\(name)=\(Self.seconds($0))" }
    }
    lastModified = headers["Last-Modified"].flatMap { HTTPDate.date($0) == nil ? nil : $0 }

    let date = headers["Date"].flatMap { HTTPDate.date($0) }.map { Int($0.timeIntervalSince1970) } ?? now
    if found["no-cache"] != nil || headers.values(for: "Vary").contains(where: { $0.contains("*") }) {
      freshUntil = now
    } else if let lifetime = Self.lifetime(headers, found, isShared: !isPrivate, date: date) {
      let age = headers["Age"].map { Self.seconds($0) } ?? 0
      freshUntil = now + lifetime - max(now - date, age + now - requestTime, 0)
    }
  }

  private static func lifetime(
    _ headers: HeaderFields, _ directives: [String: String], isShared: Bool, date: Int
  ) -> Int? {
    if isShared, let text = directives["s-maxage"] { return seconds(text) }
    if let text = directives["max-age"] { return seconds(text) }
    guard let text = headers["Expires"] else { return nil }
    // An invalid date, often "0", means that the response has expired.
    return HTTPDate.date(text).map { max(0, Int($0.timeIntervalSince1970) - date) } ?? 0
  }

  /// The directives of `Cache-Control` by name, in lower case. Of several with one name, the first counts.
  private static func directives(_ headers: HeaderFields) -> [String: String] {
    guard let text = headers.combined("Cache-Control") else {
      return headers["Pragma"]?.lowercased() == "no-cache" ? ["no-cache": ""] : [:]
    }
    let parts = text.lowercased().split(separator: ",").map { part in
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      return (pair.first ?? "", pair.count > 1 ? pair[1].trimmingCharacters(in: ["\""]) : "")
    }
    return Dictionary(parts) { first, _ in first }
  }

  /// An invalid number counts as 0: its sender did not want the response to be kept for long.
  private static func seconds(_ text: String) -> Int {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    return min(Int(text) ?? 1 << 31, 1 << 31)
  }
}

extension OriginCaching {
  private static let untilKey = "fresh-until"
  private static let modifiedKey = "last-modified"
  private static let directivesKey = "cache-control"

  /// What ``attributes`` has written; `nil` of an entry without that.
  init?(_ attributes: [String: String]) {
    guard let directives = attributes[Self.directivesKey] else { return nil }
    self.directives = directives.isEmpty ? [] : directives.components(separatedBy: ", ")
    freshUntil = attributes[Self.untilKey].flatMap { Int($0) }
    lastModified = attributes[Self.modifiedKey]
  }

  /// For an entry of a cache.
  var attributes: [String: String] {
    var attributes = [Self.directivesKey: directives.joined(separator: ", ")]
    attributes[Self.untilKey] = freshUntil.map { "\($0)" }
    attributes[Self.modifiedKey] = lastModified
    return attributes
  }
}
