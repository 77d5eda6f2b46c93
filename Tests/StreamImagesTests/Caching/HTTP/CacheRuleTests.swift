import Foundation
import StreamImages
import Testing

/// The rules of RFC 9111 for a private cache, each as a row: a response, what is asked so many seconds later, and whether
/// the origin is asked.
@Suite("HTTP cache: rules", .timeLimit(.minutes(5))) struct CacheRuleTests {
  struct Rule: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let response: HeaderFields
    let seconds: Int
    var request: HeaderFields = [:]
    let status: CacheStatus

    init(
      _ name: String, _ response: HeaderFields, after seconds: Int,
      asking request: HeaderFields = [:], _ status: CacheStatus
    ) {
      (testDescription, self.response, self.seconds) = (name, response, seconds)
      (self.request, self.status) = (request, status)
    }
  }

  private static let start = 1_800_000_000
  private static func date(_ offset: Int) -> String { HTTPTime.text(start + offset) }

  private static func expires(_ change: (String) -> String) -> HeaderFields {
    ["ETag": "\"1\"", "Expires": change(date(60))]
  }

  private static func kept(_ control: String, _ others: HeaderFields = [:]) -> HeaderFields {
    var headers: HeaderFields = ["ETag": "\"1\"", "Cache-Control": control]
    for field in others { headers.append(field.name, field.value) }
    return headers
  }

  static let lifetimes: [Rule] = [
    Rule("max-age", kept("max-age=60"), after: 59, .hit),
    Rule("max-age is over", kept("max-age=60"), after: 60, .revalidated),
    Rule("max-age in quotation marks", kept("max-age=\"60\""), after: 59, .hit),
    Rule("upper case", kept("MAX-AGE=60"), after: 59, .hit),
    Rule("max-age twice", kept("max-age=60, max-age=5"), after: 10, .revalidated),
    Rule("max-age without a number", kept("max-age=x"), after: 1, .revalidated),
    Rule("max-age below zero", kept("max-age=-60"), after: 1, .revalidated),
    Rule("s-maxage is for shared caches", kept("s-maxage=60"), after: 1, .revalidated),
    Rule("private", kept("max-age=60, private"), after: 1, .hit),
    Rule("no-cache", kept("max-age=60, no-cache"), after: 1, .revalidated),
    Rule("no-store", kept("max-age=60, no-store"), after: 1, .miss),
    Rule("an unknown directive", kept("max-age=60, frobnicate=\"no-store\""), after: 1, .hit),
    Rule("max-age before Expires", kept("max-age=60", ["Expires": date(-5)]), after: 1, .hit),
    Rule("Set-Cookie", kept("max-age=60", ["Set-Cookie": "a=b"]), after: 1, .hit),
    Rule("a tenth of the unchanged time", ["Last-Modified": date(-1_000)], after: 99, .hit),
    Rule("more than a tenth", ["Last-Modified": date(-1_000)], after: 100, .revalidated),
    Rule("nothing", [:], after: 1, .miss),
  ]

  static let times: [Rule] = [
    Rule("Expires", expires { $0 }, after: 59, .hit),
    Rule("Expires is over", expires { $0 }, after: 60, .revalidated),
    Rule("Expires 0", expires { _ in "0" }, after: 1, .revalidated),
    Rule("Expires without a comma", expires { $0.replacing(",", with: "") }, after: 1, .revalidated),
    Rule("Expires with two blanks", expires { $0.replacing(", ", with: ",  ") }, after: 1, .revalidated),
    Rule(
      "Expires with a short hour", expires { $0.replacing(" 0", with: " ") }, after: 1, .revalidated),
    Rule("Expires with dashes", expires { $0.replacing(" Jan ", with: "-Jan-") }, after: 1, .revalidated),
    Rule("Expires in lower case", expires { $0.lowercased() }, after: 1, .revalidated),
    Rule("Expires in another zone", expires { $0.replacing("GMT", with: "UTC") }, after: 1, .revalidated),
    Rule("Expires twice", kept("x", ["Expires": date(60), "expires": date(90)]), after: 1, .revalidated),
    Rule("Age", kept("max-age=60", ["Age": "58"]), after: 1, .hit),
    Rule("an old Age", kept("max-age=60", ["Age": "59"]), after: 1, .revalidated),
    Rule("an old Age first", kept("max-age=60", ["Age": "7200, 0"]), after: 1, .revalidated),
    Rule("an old Age second", kept("max-age=60", ["Age": "0, 7200"]), after: 1, .hit),
    Rule("Age twice", kept("max-age=60", ["Age": "7200", "age": "0"]), after: 1, .revalidated),
    Rule("Age with a blank", kept("max-age=60", ["Age": " 7200 "]), after: 1, .revalidated),
    Rule("Age without a number", kept("max-age=60", ["Age": "abc"]), after: 1, .hit),
    Rule("Age with a fraction", kept("max-age=60", ["Age": "7200.0"]), after: 1, .hit),
    Rule("an old Date", kept("max-age=60", ["Date": date(-59)]), after: 1, .revalidated),
    Rule("a Date in the future", kept("max-age=60", ["Date": date(90)]), after: 1, .hit),
  ]

  static let requests: [Rule] = [
    Rule("no-cache asked", kept("max-age=60"), after: 1, asking: ["Cache-Control": "no-cache"], .revalidated),
    Rule("Pragma asked", kept("max-age=60"), after: 1, asking: ["Pragma": "no-cache"], .revalidated),
    Rule("max-age asked", kept("max-age=60"), after: 9, asking: ["Cache-Control": "max-age=9"], .hit),
    Rule(
      "a smaller max-age asked", kept("max-age=60"), after: 9, asking: ["Cache-Control": "max-age=8"],
      .revalidated),
    Rule(
      "min-fresh asked", kept("max-age=60"), after: 9, asking: ["Cache-Control": "min-fresh=52"], .revalidated
    ),
    Rule("max-stale asked", kept("max-age=60"), after: 69, asking: ["Cache-Control": "max-stale=9"], .stale),
    Rule(
      "max-stale asked in vain", kept("max-age=60, must-revalidate"), after: 69,
      asking: ["Cache-Control": "max-stale"], .revalidated),
    Rule("Vary", kept("max-age=60", ["Vary": "Accept"]), after: 1, .hit),
    Rule(
      "Vary differs", kept("max-age=60", ["Vary": "Accept"]), after: 1, asking: ["Accept": "image/png"],
      .revalidated),
    Rule("Vary *", kept("max-age=60", ["Vary": "*"]), after: 1, .miss),
  ]

  @Test("A response is used, confirmed or replaced as RFC 9111 says", arguments: lifetimes + times + requests)
  func rules(_ rule: Rule) async throws {
    let web = ScriptedWeb()
    web.origin.serve { request in
      let isConditional = request.headers.contains { $0.name.hasPrefix("If-") }
      return .init(status: isConditional ? 304 : 200, headers: rule.response)
    }
    let cache = web.cache()
    _ = try await cache.data(for: web.request())
    web.advance(by: rule.seconds)

    let status = try await cache.text(web.request("/a", rule.request)).1

    #expect(status == rule.status)
    #expect(web.origin.requests.value.count == ([.hit, .stale].contains(rule.status) ? 1 : 2))
  }

  @Test(
    "The tag of a response is sent back as it came, and nothing that is no tag",
    arguments: [
      ("\"1\"", "\"1\""), ("W/\"1\"", "W/\"1\""), ("1", "1"), ("abc-1.2", "abc-1.2"), ("", nil), ("a b", nil),
      ("\"1", nil), ("a,b", nil), ("ä", nil),
    ] as [(String, String?)])
  func tags(_ tag: String, _ sent: String?) async throws {
    let web = ScriptedWeb()
    web.origin.serve { request in
      let isKnown = request.headers["If-None-Match"] == tag
      return .init(status: isKnown ? 304 : 200, headers: ["Cache-Control": "max-age=9", "ETag": tag])
    }
    let cache = web.cache()
    _ = try await cache.data(for: web.request())
    web.advance(by: 10)

    #expect(try await cache.text(web.request()) == ("body", sent == nil ? .miss : .revalidated))
    #expect(web.origin.requests.value.last?.headers["If-None-Match"] == sent)
  }
}
