import StreamImages
import Testing

@Suite struct URIReferenceTests {
  @Test(
    "References resolve as in the examples of RFC 3986, section 5.4",
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
      ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
      (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
      ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
      ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
      ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
      ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
      ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
      ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/./x", "http://a/b/c/g?y/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ])
  func examples(reference: String, target: String) {
    let base = URIReference("http://a/b/c/d;p?q")

    #expect(URIReference(reference).resolved(against: base).text == target)
  }

  @Test("A reference resolves against a base without a path, and empty segments remain")
  func corners() {
    let bare = URIReference("http://a")

    #expect(URIReference("g").resolved(against: bare).text == "http://a/g")
    #expect(URIReference("?x").resolved(against: bare).text == "http://a?x")
    #expect(URIReference("/x//y/../z").resolved(against: bare).text == "http://a/x//z")
  }

  @Test(
    "Origins are equal only with equal scheme, host and effective port",
    arguments: [
      ("http://a/x", "HTTP://A:80/y", true), ("https://a/", "https://u:p@a:443/", true),
      ("http://a/", "https://a/", false), ("http://a/", "http://a:81/", false),
      ("http://a/", "http://a./", false),
      ("http://[::1]:80/", "http://[::1]/", true), ("http://a:00000000000080/", "http://a/", true),
      ("http://a:/", "http://a/", true),
    ])
  func origins(left: String, right: String, isSame: Bool) throws {
    let left = try #require(Origin(URIReference(left)))
    let right = try #require(Origin(URIReference(right)))

    #expect((left == right) == isSame)
  }

  @Test(
    "A URL without a host or with an invalid port has no origin",
    arguments: [
      "http:///a", "http:a", "http://a:b/", "http://a:0/", "http://:80/", "http://a:+80/", "http://a:65536/",
      "http://a:99999999999999999999/",
    ])
  func noOrigin(text: String) {
    #expect(Origin(URIReference(text)) == nil)
  }
}
