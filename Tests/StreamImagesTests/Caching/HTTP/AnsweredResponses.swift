import Foundation
import StreamImages

/// What suites about responses in a cache have in common: a moment that does not pass, and responses before it.
protocol AnsweredResponses {}

extension AnsweredResponses {
  static var now: Int { 1_800_000_000 }

  /// A response that came ten seconds ago, one second after it was asked for: it is eleven seconds old.
  static func response(
    _ headers: HeaderFields, status: Int = 200, requested: Int = -11, received: Int = -10
  ) -> StoredResponse {
    let head = LoadedHead(status: status, headers: headers, url: URL(string: "https://a/b")!)
    return StoredResponse(head, body: Data(), requestTime: now + requested, responseTime: now + received)
  }

  static func time(_ offset: Int) -> String { HTTPTime.text(now + offset) }

  /// Whether a response with `answer` as its `Cache-Control` may be used for a request with `request` as its own.
  static func reuse(_ answer: String, for request: String) -> Reuse {
    Reuse(response(["Cache-Control": answer]), for: control(request), .respectingHTTP, now: now)
  }

  /// The same, instead of an error.
  static func standsIn(_ answer: String, for request: String) -> Bool {
    Reuse.standsIn(response(["Cache-Control": answer]), for: control(request), .respectingHTTP, now: now)
  }

  private static func control(_ request: String) -> HTTPCacheControl {
    HTTPCacheControl(request.isEmpty ? [:] : ["Cache-Control": request])
  }
}
