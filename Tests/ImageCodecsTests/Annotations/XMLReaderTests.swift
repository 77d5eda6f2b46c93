import ImageCodecs
import Testing

@Suite("XML of XMP packets")
struct XMLReaderTests {
  private let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  private func document(_ content: String, attributes: String = "", before: String = "", behind: String = "")
    -> [UInt8]
  {
    Array(
      (before + "<rdf:RDF xmlns:rdf='\(rdf)' xmlns:d='urn:d'><rdf:Description \(attributes)>\(content)"
        + "</rdf:Description></rdf:RDF>" + behind).utf8)
  }

  /// The values of a property `d:t` that is in each document.
  private func title(_ content: String, attributes: String = "", before: String = "", name: String = "t")
    -> [String]
  {
    XMPData(bytes: document(content, attributes: attributes, before: before)).values("urn:d", name)
  }

  private let element = "<d:t>T</d:t>"

  @Test("Spaces, zeros, comments and instructions may precede the document")
  func beginning() {
    for before in [
      "", "\u{FEFF}", " \t\r\n", "\0\0", "<?xml version='1.0'?>", "<!-- <a> -->",
      "\u{FEFF}<?a?> <!--b-->\n\0\0<?c?>\0",
      "<??>", "<!---->",
    ] {
      #expect(title(element, before: before) == ["T"], "\(before.unicodeScalars.map(\.value))")
    }
    for before in ["x", "<!x>", "<!DOCTYPE a>", "<?a?", "<!--a--", "\u{1}", "\u{FEFF}\u{FEFF}", "</a>"] {
      #expect(title(element, before: before) == [], "\(before)")
    }
    // Whatever is behind the document is not looked at.
    #expect(
      XMPData(bytes: document(element, behind: "<?xpacket end='w'?></x>")).values("urn:d", "t") == ["T"])
  }

  @Test("Spaces of four kinds may be within tags")
  func spaces() {
    for space in [" ", "\t", "\n", "\r", " \t\n\r"] {
      #expect(title("<d:t\(space)>T</d:t\(space)>") == ["T"])
      #expect(title("<a\(space)/>\(element)") == ["T"])
      #expect(title("", attributes: "\(space)d:t\(space)=\(space)'T'\(space)") == ["T"])
    }
    for space in ["\u{B}", "\u{C}", "\u{8}", "\u{1F}", "!"] {
      #expect(title("<a\(space)/>\(element)") == [])
      #expect(title("", attributes: "d:t=\(space)'T'") == [])
    }
    for wrong in ["</ d:t>", "</d:t/>", "</d:tt>", "</d:>", "</t>", "</>", "</d:t", "</d:t x>"] {
      #expect(title("<d:t>T\(wrong)") == [], "\(wrong)")
    }
  }

  @Test("A name has letters, digits, some signs and a prefix, and at most 256 bytes")
  func names() {
    for letter in ["0", "9", "A", "Z", "a", "z", "_", "-", ".", "é", "\u{10FFFF}", ":"] {
      #expect(title("<d:x\(letter)>T</d:x\(letter)>", name: "x\(letter)") == ["T"], "\(letter)")
      #expect(title("", attributes: "d:x\(letter)='T'", name: "x\(letter)") == ["T"], "\(letter)")
    }
    for letter in ["/", ";", "@", "[", "`", "{", "!", "\u{7F}"] {
      #expect(title("<d:x\(letter)>T</d:x\(letter)>\(element)") == [], "\(letter)")
    }
    for (count, isRead) in [(254, true), (255, false)] {
      let name = String(repeating: "n", count: count)
      #expect(title("<d:\(name)/>\(element)") == (isRead ? ["T"] : []))
    }
    for name in ["d:", ":", ""] { #expect(title("<\(name)/>\(element)") == [], "\(name)") }
    #expect(title("<:t xmlns=''>T</:t>\(element)") == ["T"])
  }

  @Test("Attributes have a value between equal quotes")
  func attributes() {
    for (text, expected) in [
      ("d:t='T'", ["T"]), ("d:t=\"T\"", ["T"]), ("d:t='\"'", ["\""]), ("d:t=\"'\"", ["'"]),
      ("d:t='>'", [">"]),
      ("d:t=' T '", ["T"]), ("d:t=''", []), ("d:t='T", []), ("d:t='T\"", []), ("d:t=T", []), ("d:t", []),
      ("d:t'T'", []),
      ("d:t='<'", []), ("='T'", []), ("d:t='&'", []), ("d:u='U' d:t='T' d:t='V'", ["T"]),
    ] as [(String, [String])] {
      #expect(title("", attributes: text) == expected, "\(text)")
    }
    #expect(
      XMPData(bytes: Array("<rdf:RDF xmlns:rdf='\(rdf)'><rdf:Description a='b' ".utf8)).values("", "a") == [])
  }

  @Test("A prefix stands for the innermost namespace, and only elements have one without a prefix")
  func namespaces() {
    #expect(title("<e:t xmlns:e='urn:d'>T</e:t>") == ["T"])
    #expect(title("<t xmlns='urn:d'>T</t>") == ["T"])
    #expect(title("<d:t xmlns:d='urn:e'>E</d:t>\(element)") == ["T"])
    #expect(title("<a xmlns:d='urn:e'/>\(element)") == ["T"])
    #expect(title("<e:t>T</e:t>") == [])
    #expect(XMPData(bytes: document("<e:t>T</e:t>")).values("", "t") == ["T"])
    // On the description itself.
    #expect(title(element, attributes: "xmlns:d='urn:e'") == [])
    #expect(title("", attributes: "xmlns:e='urn:d' e:t='T'") == ["T"])
    let unprefixed = "<RDF xmlns='\(rdf)'><Description xmlns:d='urn:d' t='U' d:t='T'/></RDF>"
    #expect(XMPData(bytes: Array(unprefixed.utf8)).values("urn:d", "t") == ["T"])
    #expect(XMPData(bytes: Array(unprefixed.utf8)).values("", "t") == ["U"])
    #expect(XMPData(bytes: Array(unprefixed.utf8)).values(rdf, "t") == [])
  }

  @Test("References and sections become their characters")
  func characters() {
    for (text, expected) in [
      ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"), ("&#65;&#x42;&#x10FFFF;", "AB\u{10FFFF}"), ("a&amp;b", "a&b"),
      ("<![CDATA[]]>c<![CDATA[<&]]>", "c<&"), ("a<!-- b -->c<?d?>e", "ace"), ("a<d:u>b</d:u>c", "ac"),
      ("<![CDATA[a]]b]]>", "a]]b"),
    ] {
      #expect(title("<d:t>\(text)</d:t>") == [expected], "\(text)")
    }
    for text in [
      "&x;", "&", "&;", "&#;", "&#x;", "&#xD800;", "&#x110000;", "&#-1;", "&AMP;", "&amp b", "&x41;",
      "<![CDATA[", "<![CDATA[]]", "<!-- -", "<?",
      "<!a>", "<![cdata[]]>", "<", "&#x00000000041;",
    ] {
      #expect(title("<d:t>\(text)</d:t>") == [], "\(text)")
    }
  }

  @Test("A byte that is not UTF-8 makes a document not well-formed, wherever it is")
  func damaged() {
    for text in [
      "<d:t>%</d:t>", "<d:t>%&amp;</d:t>", "<d:t><![CDATA[%]]></d:t>", "<a b='%'/>\(element)",
      "<a% b=''/>\(element)",
    ] {
      let bytes = document(text).map { $0 == UInt8(ascii: "%") ? 0x80 : $0 }
      #expect(XMPData(bytes: bytes).values("urn:d", "t") == [], "\(text)")
    }
  }

  @Test("Elements and attributes together are at most 50,000, and declarations at most 300")
  func limits() {
    // Two elements, and two declarations; then the property.
    let own = 5
    for (count, isRead) in [(50_000 - own, true), (50_001 - own, false)] {
      #expect(title(element + String(repeating: "<a/>", count: count)) == (isRead ? ["T"] : []))
      #expect(title(element + "<a\(String(repeating: " b=''", count: count - 1))/>") == (isRead ? ["T"] : []))
    }
    for (count, isRead) in [(298, true), (299, false)] {
      #expect(title(element + String(repeating: "<a xmlns='b'/>", count: count)) == (isRead ? ["T"] : []))
      #expect(title(element + String(repeating: "<a xmlns:a='b'/>", count: count)) == (isRead ? ["T"] : []))
    }
    for (depth, isRead) in [(62, true), (63, false)] {
      let nested =
        String(repeating: "<a>", count: depth - 1) + "<a/>" + String(repeating: "</a>", count: depth - 1)
      #expect(title(element + nested) == (isRead ? ["T"] : []))
    }
  }

  @Test("A property is that of the first description which has it, as an attribute or else as an element")
  func descriptions() {
    func values(_ descriptions: String, root: String = "rdf:RDF", address: String? = nil) -> [String] {
      let text = "<\(root) xmlns:rdf='\(address ?? rdf)' xmlns:d='urn:d'>\(descriptions)</\(root)>"
      return XMPData(bytes: Array(text.utf8)).values("urn:d", "t")
    }
    let two =
      "<rdf:Description/><rdf:Description d:t='A'>\(element)</rdf:Description><rdf:Description d:t='B'/>"
    #expect(values(two) == ["A"])
    #expect(values(two, address: "urn:e") == [])
    #expect(values(two, root: "rdf:Other") == [])
    #expect(values("<rdf:RDF>\(two)</rdf:RDF>", root: "x") == ["A"])
    #expect(values("<d:RDF>\(two)</d:RDF>", root: "x") == [])
    #expect(values("<rdf:Other d:t='A'/><d:Description d:t='B'/>") == [])
    #expect(values("<rdf:Description><d:u>U</d:u>\(element)<d:t>V</d:t></rdf:Description>") == ["T"])
    #expect(values("<rdf:Description><rdf:t>U</rdf:t>\(element)</rdf:Description>") == ["T"])
    #expect(values("<rdf:Description><d:t> </d:t></rdf:Description>") == [])
  }

  @Test("The default language comes first in alternatives only, and empty items are left out")
  func lists() {
    let items = [
      "<rdf:li>a</rdf:li>", "<rdf:li xml:lang='x-default'>b</rdf:li>", "<rdf:li> </rdf:li>", "<d:li>c</d:li>",
      "<rdf:li xml:lang='de'>d</rdf:li>", "<rdf:li lang='x-default'>e</rdf:li>",
    ].joined()
    for (list, expected) in [
      ("rdf:Alt", ["b", "a", "d", "e"]), ("rdf:Bag", ["a", "b", "d", "e"]),
      ("rdf:Seq", ["a", "b", "d", "e"]), ("rdf:Other", []),
      ("d:Alt", []),
    ] as [(String, [String])] {
      #expect(title("<d:t><\(list)>\(items)</\(list)></d:t>") == expected, "\(list)")
      #expect(title("<d:t> x <\(list)></\(list)></d:t>") == (expected.isEmpty ? ["x"] : []), "\(list)")
    }
  }
}
