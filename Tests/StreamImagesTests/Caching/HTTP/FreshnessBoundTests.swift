import Foundation
import StreamImages
import Testing

/// Each bound of RFC 9111 with the value just inside and just outside.
@Suite("HTTP cache: bounds of freshness")
struct FreshnessBoundTests: AnsweredResponses {
  private func freshness(_ response: StoredResponse) -> Freshness {
    Freshness(response, .respectingHTTP, now: Self.now)
  }

  @Test(
    "A response is fresh while its age is less than its lifetime",
    arguments: [
      (["Cache-Control": "max-age=11"], false), (["Cache-Control": "max-age=12"], true),
      (["Date": time(-10), "Expires": time(1)], false), (["Date": time(-10), "Expires": time(2)], true),
      (["Expires": time(1)], false), (["Expires": time(2)], true),
      (["Date": time(-10), "Last-Modified": time(-129)], false),
      (["Date": time(-10), "Last-Modified": time(-130)], true),
    ] as [(HeaderFields, Bool)])
  func lifetimes(_ row: (headers: HeaderFields, isFresh: Bool)) {
    let freshness = freshness(Self.response(row.headers))

    #expect(freshness.isFresh == row.isFresh)
    #expect(freshness.rest == (row.isFresh ? 1 : 0))
    #expect(freshness.staleness == 0)
  }

  @Test(
    "An estimated lifetime is at most a day",
    arguments: [(863_999, 86_399), (864_000, 86_400), (864_010, 86_400)])
  func estimate(_ unchanged: Int, _ lifetime: Int) {
    let response = Self.response(["Date": Self.time(-10), "Last-Modified": Self.time(-10 - unchanged)])

    #expect(freshness(response).lifetime == lifetime)
  }

  @Test(
    "A lifetime is estimated for a status that allows it, or with `public`",
    arguments: [
      (302, "private", 0), (302, "public", 1_000), (404, "private", 1_000), (200, "private", 1_000),
    ])
  func estimated(_ status: Int, _ control: String, _ lifetime: Int) {
    let headers: HeaderFields = [
      "Cache-Control": control, "Date": Self.time(-10), "Last-Modified": Self.time(-10_010),
    ]

    #expect(freshness(Self.response(headers, status: status)).lifetime == lifetime)
  }

  @Test("A valid entity tag or a time of change is a validator")
  func validators() {
    for (headers, hasValidator) in [
      ([:], false), (["ETag": "\"1\""], true), (["ETag": "W/\"1\""], true), (["ETag": "1"], true),
      (["ETag": "\"1"], false),
      (["Last-Modified": Self.time(-60)], true), (["ETag": "1", "Last-Modified": Self.time(-60)], true),
    ] as [(HeaderFields, Bool)] {
      #expect(Self.response(headers).hasValidator == hasValidator)
    }
  }

  @Test("Two expiry times make a response stale")
  func expiries() {
    var headers: HeaderFields = ["Expires": Self.time(90)]
    headers.append("Expires", Self.time(90))

    #expect(freshness(Self.response(headers)).lifetime == 0)
  }

  @Test(
    "The age is never negative, and time on the way counts once",
    arguments: [(-11, -10, 11), (-10, -10, 10), (-9, -10, 10), (0, 0, 0), (-30, -10, 30)])
  func ages(_ requested: Int, _ received: Int, _ age: Int) {
    #expect(freshness(Self.response([:], requested: requested, received: received)).age == age)
    // The time in another cache comes first.
    let held = Self.response(["Age": "7"], requested: requested, received: received)
    #expect(freshness(held).age == age + 7)
  }

  @Test("A response that arrives now is not from the future, and one that arrives later is")
  func future() {
    let headers: HeaderFields = ["Cache-Control": "max-age=60, stale-if-error=2147483647"]
    let (present, later) = (
      Self.response(headers, requested: 0, received: 0), Self.response(headers, requested: 0, received: 1)
    )
    let nothing = HTTPCacheControl([:])

    #expect(!freshness(present).isTimeless && freshness(present).isFresh)
    #expect(freshness(later).isTimeless && !freshness(later).isFresh)
    #expect(freshness(later).staleness == .max && freshness(later).rest == 0)
    for asked in [nothing, HTTPCacheControl(["Cache-Control": "max-stale"])] {
      #expect(Reuse(later, for: asked, .respectingHTTP, now: Self.now) == .afterValidation)
    }
    #expect(!Reuse.standsIn(later, for: nothing, .respectingHTTP, now: Self.now))
  }

  @Test(
    "Each limit of reuse includes its last second",
    arguments: [
      // Fresh for 49 seconds more.
      ("max-age=60", "min-fresh=49", .now), ("max-age=60", "min-fresh=50", .afterValidation),
      ("max-age=60", "max-age=11", .now), ("max-age=60", "max-age=10", .afterValidation),
      // Stale for six seconds.
      ("max-age=5, stale-while-revalidate=5", "", .afterValidation),
      ("max-age=5, stale-while-revalidate=6", "", .nowAndValidate),
      ("max-age=5", "max-stale=5", .afterValidation), ("max-age=5", "max-stale=6", .now),
      ("max-age=5", "max-stale=0, max-stale", .now),
      ("max-age=5, stale-while-revalidate=60", "max-stale=5", .nowAndValidate),
      ("max-age=5, stale-while-revalidate=60", "max-stale=6", .now),
      // Stale since now.
      ("max-age=11", "max-stale=0", .now), ("max-age=11, stale-while-revalidate=0", "", .nowAndValidate),
      ("max-age=12, immutable", "max-age=0", .now), ("max-age=11, immutable", "max-age=0", .afterValidation),
      ("max-age=60, immutable", "max-age=1", .afterValidation), ("max-age=60", "max-age=0", .afterValidation),
      ("max-age=60, must-revalidate", "", .now), ("max-age=60, must-revalidate", "min-fresh=49", .now),
    ] as [(String, String, Reuse)])
  func reuse(_ row: (answer: String, request: String, result: Reuse)) {
    #expect(Self.reuse(row.answer, for: row.request) == row.result)
  }

  @Test(
    "A response replaces an error up to the last second of `stale-if-error`, the server's first",
    arguments: [
      ("max-age=5, stale-if-error=5", "", false), ("max-age=5, stale-if-error=6", "", true),
      ("max-age=5", "stale-if-error=5", false), ("max-age=5", "stale-if-error=6", true),
      ("max-age=5, stale-if-error=5", "stale-if-error=6", false),
      ("max-age=5, stale-if-error=6", "stale-if-error=5", true), ("max-age=60, stale-if-error=0", "", true),
    ])
  func errors(_ row: (answer: String, request: String, standsIn: Bool)) {
    #expect(Self.standsIn(row.answer, for: row.request) == row.standsIn)
  }

  @Test(
    "A lifetime that the program sets has the same bounds",
    arguments: [(11, .afterValidation), (12, .now), (-1, .afterValidation)] as [(Int64, Reuse)])
  func overriding(_ seconds: Int64, _ reuse: Reuse) {
    let response = Self.response(["Cache-Control": "no-cache"])

    #expect(
      Freshness(response, .overriding(.seconds(seconds)), now: Self.now).lifetime == max(0, Int(seconds)))
    #expect(
      Reuse(response, for: HTTPCacheControl([:]), .overriding(.seconds(seconds)), now: Self.now) == reuse)
  }
}
