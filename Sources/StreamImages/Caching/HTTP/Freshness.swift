/// The age and the freshness lifetime of a stored response: RFC 9111 section 4.2, for a private cache.
package struct Freshness: Sendable {
  /// In seconds.
  package let lifetime: Int
  /// In seconds.
  package let age: Int
  /// Whether the response is from the future, by the present clock. Then its age is unknown.
  package let isTimeless: Bool

  package init(_ response: StoredResponse, _ policy: HTTPCache.Policy, now: Int) {
    let date = response.headers["Date"].flatMap { HTTPTime.seconds($0, now: now) } ?? response.responseTime
    let apparentAge = max(0, response.responseTime - date)
    let delay = max(0, response.responseTime - response.requestTime)
    let initialAge = max(apparentAge, Self.age(response.headers) + delay)
    isTimeless = now < response.responseTime
    age = initialAge + max(0, now - response.responseTime)
    switch policy {
    case .respectingHTTP: lifetime = Self.lifetime(response, date: date, now: now)
    case .overriding(let duration): lifetime = Int(duration.bounded.components.seconds)
    case .ignoringHTTP: lifetime = .max
    }
  }

  package var isFresh: Bool { !isTimeless && lifetime > age }

  /// How long the response has been stale, in seconds.
  package var staleness: Int { isFresh ? 0 : isTimeless ? .max : age - lifetime }

  /// How long the response will stay fresh, in seconds.
  package var rest: Int { isFresh ? lifetime - age : 0 }

  /// Ignores `s-maxage`, which is for shared caches.
  private static func lifetime(_ response: StoredResponse, date: Int, now: Int) -> Int {
    let control = response.control
    if let seconds = control.seconds("max-age") { return seconds }
    let expiry = response.headers.values(for: "Expires")
    if let first = expiry.first {
      // An invalid time, often "0", means that the response has expired.
      guard expiry.count == 1, let seconds = HTTPTime.seconds(first, now: now) else { return 0 }
      return max(0, seconds - date)
    }
    guard HTTPCache.isHeuristicallyCacheable(response.status) || control.has("public"),
      let modified = response.headers["Last-Modified"].flatMap({ HTTPTime.seconds($0, now: now) })
    else { return 0 }
    return min(86_400, max(0, (date - modified) / 10))
  }

  /// Of a list, the first member counts: RFC 9111 section 5.1.
  private static func age(_ headers: HeaderFields) -> Int {
    let first = headers["Age"].map { trimmed(String($0.prefix { $0 != "," })) }
    return first.flatMap { Int(digits: $0.utf8, clampedTo: 1 << 31) } ?? 0
  }
}

/// How a stored response may be used.
package enum Reuse: Equatable, Sendable {
  /// Without asking the server.
  case now
  /// Without asking the server, and with a revalidation in the background.
  case nowAndValidate
  /// Only after the server has confirmed it.
  case afterValidation

  package init(_ response: StoredResponse, for asked: HTTPCacheControl, _ policy: HTTPCache.Policy, now: Int)
  {
    self = Self.reuse(response, for: asked, policy, now: now)
  }

  private static func reuse(
    _ response: StoredResponse, for asked: HTTPCacheControl, _ policy: HTTPCache.Policy, now: Int
  ) -> Reuse {
    let freshness = Freshness(response, policy, now: now)
    let control = policy == .respectingHTTP ? response.control : HTTPCacheControl(HeaderFields())
    let isImmutable = control.has("immutable") && freshness.isFresh
    if asked.has("no-cache") || control.has("no-cache") || freshness.isTimeless { return .afterValidation }
    // Reloading an immutable response does not revalidate it: RFC 8246.
    if let limit = asked.seconds("max-age"), freshness.age > limit, !(isImmutable && limit == 0) {
      return .afterValidation
    }
    if freshness.isFresh {
      return asked.seconds("min-fresh").map { freshness.rest >= $0 } ?? true ? .now : .afterValidation
    }
    if control.has("must-revalidate") || asked.has("min-fresh") { return .afterValidation }
    if asked.isBare("max-stale") { return .now }
    if let window = asked.seconds("max-stale"), freshness.staleness <= window { return .now }
    let window = control.seconds("stale-while-revalidate")
    return window.map { freshness.staleness <= $0 } ?? false ? .nowAndValidate : .afterValidation
  }

  /// Returns whether the stored response may be used in place of an error.
  package static func standsIn(
    _ response: StoredResponse, for asked: HTTPCacheControl, _ policy: HTTPCache.Policy, now: Int
  ) -> Bool {
    let control = response.control
    guard !control.has("must-revalidate"), !control.has("no-cache"), !asked.has("no-cache"),
      let window = control.seconds("stale-if-error") ?? asked.seconds("stale-if-error")
    else { return false }
    return Freshness(response, policy, now: now).staleness <= window
  }
}
