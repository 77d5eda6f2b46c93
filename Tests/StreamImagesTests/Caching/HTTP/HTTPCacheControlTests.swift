import Foundation
import StreamImages
import Testing

@Suite("`HTTPCacheControl`")
struct HTTPCacheControlTests {
  private func control(_ fields: String...) -> HTTPCacheControl {
    var headers = HeaderFields()
    for field in fields { headers.append("Cache-Control", field) }
    return HTTPCacheControl(headers)
  }

  @Test("`HTTPCacheControl` parses directives from all lines, in any case, quoted or not")
  func directives() {
    let control = control("Max-Age=10 , no-CACHE=\"a, max-age=99\",,", "stale-if-error=\"5\", x = y")

    #expect(control.seconds("max-age") == 10)
    #expect(control.has("no-cache"))
    #expect(control.seconds("stale-if-error") == 5)
    #expect(control.has("x"))
    #expect(!control.has("no-store"))
    #expect(control.seconds("s-maxage") == nil)
  }

  @Test(
    "`HTTPCacheControl` treats an invalid number as 0, and uses the least of several",
    arguments: [
      ("max-age=", 0), ("max-age", 0), ("max-age=-1", 0), ("max-age=1.5", 0), ("max-age=x", 0),
      ("max-age=99999999999999999999999", 1 << 31), ("max-age=7, max-age=3", 3), ("max-age=\"8\"", 8),
      ("max-age=\"8", 8), ("max-age=4\"5", 0),
      ("\t max-age \t= 6 \t , x", 6), ("max-age= \"8\"", 8), ("max-age=\t\"8\"", 8), ("max-age=\"\\8\"", 8),
      ("max-age=\"8\\0\"", 80), ("max-age=\"8\"x=1, max-age=9", 8),
    ])
  func numbers(_ row: (field: String, seconds: Int)) {
    #expect(control(row.field).seconds("max-age") == row.seconds)
  }

  @Test(
    "A quoted value ends with a quotation mark that is not escaped, and what follows up to a comma is ignored"
  )
  func quoted() {
    for value in [#""\", b=1""#, #""\8\", b=1""#, #""\\\", b=1""#, #""1, b=1""#] {
      let control = control("a=\(value), c")
      #expect(!control.has("b") && control.has("c"), "\(value)")
    }
    let ended = control(#"a="\8", b=1, c="1"xy=5, d"#)
    #expect(
      ["a", "b", "c", "d", "y", "xy", ""].map(ended.has) == [true, true, true, true, false, false, false])
  }

  @Test("A name has letters, digits and signs, up to the last of each, and nothing else at its ends")
  func names() {
    for name in ["a", "z", "A", "Z", "0", "9", "Z9", "aZ0", "!", "~", "a-b", "|"] {
      #expect(control("\"\(name)/=1").has(name.lowercased()), "\(name)")
    }
    for name in ["@", "[", "`{", "/", ":", "é"] { #expect(!control("\(name)=1").has(name), "\(name)") }
  }

  @Test("Empty elements and values without a name are no directives")
  func nameless() {
    let control = control(",, ,=5, =\"6\", a")

    #expect(control.has("a"))
    #expect(!control.has(""))
  }

  @Test("The case of a directive is ignored for ASCII letters only")
  func notASCII() {
    #expect(control("AÉM@[`{Z").has("aÉm@[`{z"))
    #expect(!control("AÉZ").has("aéz"))
  }

  @Test("`HTTPCacheControl` recognizes a directive without its number")
  func bare() {
    #expect(control("max-stale").isBare("max-stale"))
    #expect(!control("max-stale=3").isBare("max-stale"))
  }

  @Test("`HTTPCacheControl` uses Pragma only if there is no Cache-Control header")
  func pragma() {
    #expect(HTTPCacheControl(["Pragma": "x, no-cache"]).has("no-cache"))
    #expect(HTTPCacheControl(["Pragma": "No-Cache"]).has("no-cache"))
    #expect(!HTTPCacheControl(["Pragma": "x"]).has("no-cache"))
    #expect(!HTTPCacheControl(["Pragma": "no-cache", "Cache-Control": "max-age=1"]).has("no-cache"))
  }

  @Test("Random header text never traps, and an accepted tag stays the same when it is parsed again")
  func noise() {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("=,\"\\ \ta9é-")
    for _ in 0..<2_000 {
      let text = String(
        (0..<Int.random(in: 0..<30, using: &generator)).map { _ in letters.randomElement(using: &generator)! }
      )
      #expect(control(text).seconds("a").map { (0...1 << 31).contains($0) } != false, "\(text)")
      if let tag = EntityTag(text) { #expect(EntityTag(tag.text) == tag, "\(text)") }
    }
  }

  @Test(
    "`EntityTag` distinguishes strong from weak tags, and rejects everything else",
    arguments: [
      ("\"a\"", false), ("W/\"a\"", true), ("\"\"", false), ("W/\"\"", true), (" W/\"a\"\t", true),
      ("\"W/\"", false), ("a", nil), ("\"a", nil), ("\"", nil), ("w/\"a\"", nil), ("W/", nil),
      ("W/W/\"a\"", nil), ("\"a\"b\"", nil), ("a\"", nil), ("\"!\"", false), ("\"#\"", false),
      ("\"~\"", false),
      ("\"\u{7F}\"", nil), ("\"\u{80}\"", false), ("\"é\"", false), ("\"\u{1F}\"", nil), ("\"\"\"", nil),
      ("\"a b\"", nil), ("", nil),
    ] as [(String, Bool?)])
  func tags(_ row: (text: String, isWeak: Bool?)) {
    let tag = EntityTag(row.text)

    #expect(tag?.isWeak == row.isWeak)
    #expect(tag?.text == row.isWeak.map { _ in row.text.trimmingCharacters(in: .whitespaces) })
  }

  @Test("`EntityTag` compares tags strongly and weakly")
  func comparison() throws {
    let strong = try #require(EntityTag("\"a\""))
    let weak = try #require(EntityTag("W/\"a\""))
    let other = try #require(EntityTag("\"b\""))

    #expect(strong.isStronglyEqual(to: strong))
    #expect(!strong.isStronglyEqual(to: weak))
    #expect(!weak.isStronglyEqual(to: weak))
    #expect(!weak.isStronglyEqual(to: strong))
    #expect(strong.isWeaklyEqual(to: weak))
    #expect(!strong.isWeaklyEqual(to: other))
  }
}
