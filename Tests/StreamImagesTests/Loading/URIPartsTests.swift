import Foundation
import StreamImages
import Testing

@Suite("The parts of a URI")
struct URIPartsTests {
  /// What RFC 3986 writes in its appendix B, with a scheme as in its section 3.1.
  private static func parts(_ text: String) throws -> [String?] {
    let expression = try NSRegularExpression(
      pattern: #"^(([A-Za-z][A-Za-z0-9+.-]*):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?"#,
      options: .dotMatchesLineSeparators)
    let match = try #require(expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)))
    return [2, 4, 5, 7, 9].map { Range(match.range(at: $0), in: text).map { String(text[$0]) } }
  }

  /// All texts of up to five of these characters, and longer ones with a scheme and an authority before them.
  private static let texts: [String] = {
    var last = [""], all = [""]
    for _ in 0..<5 {
      last = last.flatMap { text in "a1/?#:".map { text + String($0) } }
      all += last
    }
    return all
      + ["http://b", "x+-.9:", "1a:", "//", "@[`{z:", "/é?é#é"].flatMap { head in
        all.prefix(300).map { head + $0 }
      }
  }()

  @Test("A URI has the parts that the expression of RFC 3986 finds, and is written as it was read")
  func expression() throws {
    for text in Self.texts {
      let reference = URIReference(text)
      let parts = [
        reference.scheme, reference.authority, reference.path, reference.query, reference.fragment,
      ]

      #expect(try parts == Self.parts(text), "\(text)")
      #expect(reference.text == text)
    }
  }

  @Test("Every character that a scheme may have, and no other, is part of one")
  func schemes() throws {
    for code in UInt8(0x20)..<0x7F where !"/?#:".utf8.contains(code) {
      let character = String(UnicodeScalar(code))
      for text in [character + ":b", "x" + character + ":b"] {
        #expect(try URIReference(text).scheme == Self.parts(text)[0]?.lowercased(), "\(text)")
      }
    }
    #expect(URIReference("É:b").scheme == nil)
    #expect(URIReference("AZaz:b").scheme == "azaz")
    #expect(URIReference("[:b").scheme == nil)
  }

  /// What RFC 3986 writes in its section 5.2.4, for a path from the root.
  private static func removingDots(_ path: String) -> String {
    var (input, output) = (path[...], "")
    func drop(_ prefix: String, keeping kept: String = "") {
      input = kept[...] + input.dropFirst(prefix.count)
    }
    while !input.isEmpty {
      if input.hasPrefix("/./") {
        drop("/./", keeping: "/")
      } else if input == "/." {
        input = "/"
      } else if input.hasPrefix("/../") || input == "/.." {
        drop(input == "/.." ? "/.." : "/../", keeping: "/")
        output = output.lastIndex(of: "/").map { String(output[..<$0]) } ?? ""
      } else {
        let segment = input.prefix(1) + input.dropFirst().prefix { $0 != "/" }
        output += segment
        input = input.dropFirst(segment.count)
      }
    }
    return output
  }

  /// What RFC 3986 writes in its section 5.2.2, for a base with an authority.
  private static func resolved(_ reference: URIReference, against base: URIReference) -> URIReference {
    var target = base
    target.fragment = reference.fragment
    if reference.authority != nil {
      (target.authority, target.path) = (reference.authority, removingDots(reference.path))
      target.query = reference.query
    } else if reference.path.isEmpty {
      target.query = reference.query ?? base.query
    } else {
      target.query = reference.query
      let folder =
        base.path.isEmpty ? "/" : base.path.lastIndex(of: "/").map { String(base.path[...$0]) } ?? ""
      target.path = removingDots(reference.path.hasPrefix("/") ? reference.path : folder + reference.path)
    }
    return target
  }

  @Test("References resolve as the algorithm of RFC 3986 says, whatever segments they have")
  func resolution() {
    let segments = ["", ".", "..", "a", "..."]
    let three = segments.flatMap { first in
      segments.flatMap { second in segments.map { [first, second, $0].joined(separator: "/") } }
    }
    let paths = segments + three + three.map { "/" + $0 }
    for base in ["http://h", "http://h/", "http://h/x/y?q#f", "http://h/x/?q"].map(URIReference.init) {
      for path in paths {
        for tail in ["", "?", "?p", "#g", "?p#g"] {
          for reference in [path + tail, "//g/" + path + tail].map(URIReference.init) {
            let target = reference.resolved(against: base)

            #expect(target == Self.resolved(reference, against: base), "\(reference.text) at \(base.text)")
          }
        }
      }
    }
  }

  @Test("A reference takes the place of what follows the last slash of a base without an authority")
  func noAuthority() {
    for (base, target) in [("x:", "x:g"), ("x:a", "x:g"), ("x:a/b", "x:a/g"), ("x:/a/b", "x:/a/g")] {
      #expect(URIReference("g").resolved(against: URIReference(base)).text == target)
    }
  }

  @Test("A reference with a scheme of its own keeps nothing of the base")
  func ownScheme() {
    let base = URIReference("http://h/x/y?q#f")

    for (text, target) in [
      ("x:", "x:"), ("x:/a/../b", "x:/b"), ("x:a/./b", "x:a/b"), ("x:?p", "x:?p"), ("X://G/a", "x://G/a"),
    ] {
      #expect(URIReference(text).resolved(against: base).text == target)
    }
  }
}
