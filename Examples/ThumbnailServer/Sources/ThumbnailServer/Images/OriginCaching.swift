internal import Foundation
package import StreamImages

/// How long an origin allows its image to be stored: RFC 9111, as a shared cache reads it.
package struct OriginCaching: Hashable, Sendable {
  /// In seconds since 1970: here, and in shared caches on the way.
  package var freshUntil: Int
  /// The same for clients, if that is earlier.
  private var clientsUntil: Int?
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
  package func isFresh(now: Int) -> Bool { isStorable && freshUntil > now }

  /// The value of `Cache-Control`.
  ///
  /// - Parameters:
  ///   - limit: In seconds: the end of a signed URL.
  package func field(now: Int, limit: Int) -> String {
    guard isStorable || isPrivate else { return "no-store" }
    let shared = min(limit, max(0, freshUntil - now))
    guard shared > 0 else { return isPrivate ? "private, no-cache" : "no-cache" }
    let seconds = min(limit, maxAge(now: now))
    let own = ["max-age=\(seconds)"] + (seconds < shared ? ["s-maxage=\(shared)"] : [])
    // What is used while it is stale may not be used beyond the limit either.
    let passed = directives.filter { directive in
      let stale =
        directive.hasPrefix("stale-") ? directive.split(separator: "=").last.flatMap { Int($0) } : nil
      return stale ?? 0 <= limit - shared
    }
    return ([isPrivate ? "private" : "public"] + own + passed).joined(separator: ", ")
  }

  /// How long a client may keep it, in seconds.
  func maxAge(now: Int) -> Int { max(0, (clientsUntil ?? freshUntil) - now) }
}

extension OriginCaching {
  /// - Parameters:
  ///   - requestTime: When the response was asked for, in seconds since 1970.
  ///   - now: When its head was there.
  ///   - usual: In seconds, for an origin that does not say how long its image is fresh.
  package init(_ headers: HeaderFields, requestTime: Int, now: Int, usual: Int) {
    let control = HTTPCacheControl(headers)
    freshUntil = now + usual
    isPrivate = control.has("private") && !control.has("no-store")
    isStorable = !control.has("no-store") && !isPrivate
    directives = Self.passedDirectives.compactMap { name in
      guard control.has(name) else { return nil }
      return control.isBare(name) ? name : "\(name)=\(control.seconds(name) ?? 0)"
    }
    lastModified = headers["Last-Modified"].flatMap { HTTPTime.seconds($0, now: now) == nil ? nil : $0 }

    let date = headers["Date"].flatMap { HTTPTime.seconds($0, now: now) } ?? now
    if control.has("no-cache") || headers.values(for: "Vary").contains(where: { $0.contains("*") }) {
      freshUntil = now
    } else if let lifetime = lifetime(headers, control, date: date, now: now) {
      let age = headers["Age"].flatMap { Int($0) } ?? 0
      freshUntil = now + lifetime - max(now - date, min(max(age, 0), 1 << 31) + now - requestTime, 0)
      // `s-maxage` is not for clients.
      if let seconds = control.seconds("max-age"), seconds < lifetime {
        clientsUntil = freshUntil - lifetime + seconds
      }
    }
  }

  private func lifetime(
    _ headers: HeaderFields, _ control: HTTPCacheControl, date: Int, now: Int
  ) -> Int? {
    if !isPrivate, let seconds = control.seconds("s-maxage") { return seconds }
    if let seconds = control.seconds("max-age") { return seconds }
    // An invalid date, often "0", means that the response has expired.
    return headers["Expires"].map { HTTPTime.seconds($0, now: now).map { max(0, $0 - date) } ?? 0 }
  }
}

extension OriginCaching {
  private static let untilKey = "fresh-until"
  private static let clientsKey = "clients-until"
  private static let modifiedKey = "last-modified"
  private static let directivesKey = "cache-control"

  /// What ``attributes`` has written; `nil` of an entry without that.
  init?(_ attributes: [String: String]) {
    guard let directives = attributes[Self.directivesKey],
      let until = attributes[Self.untilKey].flatMap({ Int($0) })
    else { return nil }
    self.directives = directives.isEmpty ? [] : directives.components(separatedBy: ", ")
    freshUntil = until
    clientsUntil = attributes[Self.clientsKey].flatMap { Int($0) }
    lastModified = attributes[Self.modifiedKey]
  }

  /// For an entry of a cache.
  var attributes: [String: String] {
    var attributes = [Self.directivesKey: directives.joined(separator: ", ")]
    attributes[Self.untilKey] = "\(freshUntil)"
    attributes[Self.clientsKey] = clientsUntil.map { "\($0)" }
    attributes[Self.modifiedKey] = lastModified
    return attributes
  }
}
