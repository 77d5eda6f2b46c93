import Foundation
import StreamImages
import Testing

@Suite("HTTP cache: freshness")
struct FreshnessTests: AnsweredResponses {
  @Test(
    "Freshness follows the headers, or is a tenth of the unchanged time, at most one day",
    arguments: [
      (["Cache-Control": "max-age=60"], 60), (["Cache-Control": "s-maxage=60"], 0),
      (["Cache-Control": "max-age=60, s-maxage=5", "Expires": time(0)], 60),
      (["Date": time(-10), "Expires": time(90)], 100), (["Date": time(-10), "Expires": time(-20)], 0),
      (["Expires": "0"], 0), (["Expires": "-1"], 0),
      (["Last-Modified": time(-1_010), "Date": time(-10)], 100),
      (["Last-Modified": time(-10_000_000)], 86_400), (["Last-Modified": time(50)], 0), ([:], 0),
      (["Expires": "0", "Last-Modified": time(-10_000)], 0),
      (["Cache-Control": "max-age=x", "Last-Modified": time(-10_000)], 0),
    ] as [(HeaderFields, Int)])
  func lifetimes(_ row: (headers: HeaderFields, lifetime: Int)) {
    #expect(Freshness(Self.response(row.headers), .respectingHTTP, now: Self.now).lifetime == row.lifetime)
  }

  @Test(
    "The age includes time in other caches, in transit, and since the response arrived",
    arguments: [
      ([:], 11), (["Age": "100"], 111), (["Date": time(-50)], 50), (["Date": time(-50), "Age": "5"], 50),
      (["Date": time(100)], 11), (["Age": "x"], 11), (["Age": ""], 11), (["Age": "100, 0"], 111),
      (["Age": "0, 100"], 11), (["Age": "x, 100"], 11),
      (["Age": "99999999999999999999"], (1 << 31) + 11),
    ] as [(HeaderFields, Int)])
  func ages(_ row: (headers: HeaderFields, age: Int)) {
    #expect(Freshness(Self.response(row.headers), .respectingHTTP, now: Self.now).age == row.age)
  }

  @Test("A response is stale if the clock was set back, whatever its lifetime")
  func clock() {
    let response = Self.response(["Cache-Control": "max-age=1000"])

    #expect(Freshness(response, .respectingHTTP, now: Self.now).isFresh)
    #expect(!Freshness(response, .respectingHTTP, now: Self.now - 11).isFresh)
    #expect(
      Reuse(response, for: HTTPCacheControl([:]), .ignoringHTTP, now: Self.now - 11) == .afterValidation)
  }

  @Test(
    "Reuse follows the Cache-Control of both the response and the request",
    arguments: [
      ("max-age=60", "", .now),
      ("max-age=60", "no-cache", .afterValidation),
      ("max-age=60", "max-age=5", .afterValidation),
      ("max-age=60", "max-age=30", .now),
      ("max-age=60", "max-age=11", .now),
      ("max-age=60", "max-age=10", .afterValidation),
      ("max-age=60", "min-fresh=30", .now),
      ("max-age=60", "min-fresh=55", .afterValidation),
      ("max-age=60, no-cache", "", .afterValidation),
      ("max-age=60, no-cache=\"Set-Cookie\"", "", .afterValidation),
      ("max-age=60, immutable", "max-age=0", .now),
      ("max-age=60, immutable", "no-cache", .afterValidation),
      ("max-age=5, immutable", "max-age=0", .afterValidation),
      ("max-age=5, immutable", "max-age=0, max-stale", .afterValidation),
      ("max-age=60, private", "", .now),
      ("max-age=5", "", .afterValidation),
      ("max-age=5", "max-stale", .now),
      ("max-age=5", "max-stale=60", .now),
      ("max-age=5", "max-stale=2", .afterValidation),
      ("max-age=5", "max-stale=6", .now),
      ("max-age=5", "max-stale=5", .afterValidation),
      ("max-age=5, must-revalidate", "max-stale", .afterValidation),
      ("max-age=5, stale-while-revalidate=60", "", .nowAndValidate),
      ("max-age=5, stale-while-revalidate=2", "", .afterValidation),
      ("max-age=5, stale-while-revalidate=60, must-revalidate", "", .afterValidation),
      ("max-age=5, stale-while-revalidate=60", "min-fresh=1", .afterValidation),
    ] as [(String, String, Reuse)])
  func reuse(_ row: (answer: String, request: String, result: Reuse)) {
    #expect(Self.reuse(row.answer, for: row.request) == row.result)
  }

  @Test(
    "A stale response replaces an error only within stale-if-error of either side",
    arguments: [
      ("max-age=5, stale-if-error=60", "", true), ("max-age=5", "stale-if-error=60", true),
      ("max-age=5", "", false),
      ("max-age=5, stale-if-error=2", "", false),
      ("max-age=5, stale-if-error=60, must-revalidate", "", false),
      ("max-age=5, stale-if-error=60, no-cache", "", false),
      ("max-age=5, stale-if-error=60", "no-cache", false),
    ])
  func errors(_ row: (answer: String, request: String, standsIn: Bool)) {
    #expect(Self.standsIn(row.answer, for: row.request) == row.standsIn)
  }

  @Test("A policy of the program overrides the Cache-Control of the server")
  func policies() {
    let response = Self.response(["Cache-Control": "max-age=0, no-cache, must-revalidate"])
    let nothing = HTTPCacheControl([:])

    #expect(Reuse(response, for: nothing, .ignoringHTTP, now: Self.now) == .now)
    #expect(Reuse(response, for: nothing, .overriding(.seconds(20)), now: Self.now) == .now)
    #expect(Reuse(response, for: nothing, .overriding(.seconds(9)), now: Self.now) == .afterValidation)
  }

  @Test(
    "A 304 updates headers except the body's, and secret or hop-by-hop headers are not stored"
  )
  func updating() {
    var response = Self.response([
      "ETag": "\"1\"", "Content-Length": "5", "Content-Type": "image/png", "X-A": "old", "Set-Cookie": "s=1",
      "Connection": "X-Hop", "X-Hop": "1", "Keep-Alive": "5",
    ])
    let news = LoadedHead(
      status: 304,
      headers: [
        "X-A": "new", "Content-Length": "0", "Content-Type": "text/html", "X-B": "b", "ETag": "\"1\"",
      ],
      url: response.url)

    response.update(from: news, requestTime: 5, responseTime: 6)

    #expect(response.headers["X-A"] == "new")
    #expect(response.headers["X-B"] == "b")
    #expect(response.headers["Content-Length"] == "5")
    #expect(response.headers["Content-Type"] == "image/png")
    for name in ["Set-Cookie", "Connection", "X-Hop", "Keep-Alive"] { #expect(response.headers[name] == nil) }
    #expect((response.requestTime, response.responseTime) == (5, 6))
  }

  @Test("A 304 without a date resets the age of the stored response")
  func dateless() {
    var response = Self.response(["Date": Self.time(-500), "Age": "400", "Cache-Control": "max-age=600"])
    #expect(Freshness(response, .respectingHTTP, now: Self.now).age == 500)

    response.update(
      from: LoadedHead(status: 304, url: response.url), requestTime: Self.now, responseTime: Self.now)

    #expect(Freshness(response, .respectingHTTP, now: Self.now).age == 0)
  }

  @Test("A stored head has a space in place of each byte that could end a line, and none at its ends")
  func controls() {
    let headers: HeaderFields = [
      "A\u{0}B": "c", "D": " \t\u{1} e\rf\n\u{7F}g\u{1F}  \t", "H": "i\tj", "\u{2}K\u{1B}": "l",
    ]

    let stored = Self.response(headers).headers

    #expect(stored.map(\.name) == ["A B", "D", "H", "K"])
    #expect(stored.map(\.value) == ["c", "e f  g", "i\tj", "l"])
  }

  @Test("A head says how many bytes come, which are none where only the head was stored")
  func byteCounts() {
    let head = LoadedHead(status: 404, url: URL(string: "https://a/b")!)
    func count(_ body: Data?) -> Int? {
      StoredResponse(head, body: body, requestTime: 1, responseTime: 2).head(age: 3, .hit).expectedByteCount
    }

    #expect([count(nil), count(Data()), count(Data(count: 7))] == [0, 0, 7])
  }

  @Test("A stored response is read back unchanged, and damaged entries are not read")
  func disk() throws {
    let response = Self.response(["A": "1", "b": "x:y", "B": "2"], status: 203)

    let back = try #require(StoredResponse(response.cached))

    #expect(back.headers == response.headers)
    #expect(back.status == 203)
    #expect(back.hasBody)
    #expect(StoredResponse(CachedData(Data())) == nil)
    for name in ["format", "status", "url", "asked", "answered"] {
      var damaged = response.cached
      damaged.attributes[name] = nil
      #expect(StoredResponse(damaged) == nil)
    }
  }
}
