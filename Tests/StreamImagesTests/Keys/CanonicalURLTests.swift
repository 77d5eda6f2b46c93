import Foundation
import StreamImages
import Testing

@Suite("`CanonicalURL`")
struct CanonicalURLTests {
  @Test(
    "Equivalent URLs have the same canonical text",
    arguments: [
      ("https://example.org/a.png?w=1", "https://example.org/a.png?w=1"),
      ("HTTPS://Example.ORG/A.png", "https://example.org/A.png"),
      ("https://example.org", "https://example.org/"),
      ("https://example.org?w=1", "https://example.org/?w=1"),
      ("https://example.org:443/a", "https://example.org/a"),
      ("http://example.org:80/a", "http://example.org/a"),
      ("http://example.org:443/a", "http://example.org:443/a"),
      ("https://example.org/a#part", "https://example.org/a"),
      ("https://user:secret@example.org/a", "https://example.org/a"),
      ("http://[::1]:8080/a", "http://[::1]:8080/a"),
      ("https://example.org/a%2Fb/../c", "https://example.org/a%2Fb/../c"),
      ("file:///pictures/a.png", "file:///pictures/a.png"),
      ("http://A/b", "http://a/b"), ("https://Z/b", "https://z/b"), ("https:///a#b", "https:///a"),
      ("https://User:secret@Example.org:99999?w=1#b", "https://User:secret@Example.org:99999?w=1"),
    ])
  func spelling(_ row: (url: String, text: String)) throws {
    #expect(CanonicalURL(try #require(URL(string: row.url))).text == row.text)
  }

  @Test("The user is stored separately from the URL")
  func user() throws {
    #expect(
      CanonicalURL(try #require(URL(string: "https://user:secret@example.org/a"))).user == "user:secret")
  }

  @Test("A long URL has a short and distinct text")
  func long() throws {
    let text = "data:image/png;base64," + String(repeating: "A", count: 100_000)
    let first = CanonicalURL(try #require(URL(string: text))).text
    let second = CanonicalURL(try #require(URL(string: text + "B"))).text

    #expect(first.utf8.count < 100)
    #expect(first != second)
  }

  @Test("A URL of 4,096 bytes is its own text, and a longer one is not")
  func longest() throws {
    let text = "https://a.org/" + String(repeating: "b", count: 4_082)

    #expect(CanonicalURL(try #require(URL(string: text))).text == text)
    #expect(CanonicalURL(try #require(URL(string: text + "b"))).text.utf8.count < 100)
  }
}
