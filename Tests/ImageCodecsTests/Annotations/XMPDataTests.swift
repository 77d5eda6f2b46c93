import ImageCodecs
import Testing

@Suite("XMP")
struct XMPDataTests {
  private let dublinCore = "http://purl.org/dc/elements/1.1/"

  @Test("Attributes, elements, lists and languages are read, whatever their prefixes are")
  func forms() {
    let text = """
      <q:RDF xmlns:q='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><q:Description xmlns:d='\(dublinCore)' d:format='image/png'>
      <d:source> a &#x26; b </d:source><d:creator><q:Seq><q:li>Ada</q:li><q:li><![CDATA[G & H]]></q:li></q:Seq></d:creator>
      <d:rights><q:Alt><q:li xml:lang='fr'>droits</q:li><q:li xml:lang='x-default'>rights</q:li></q:Alt></d:rights>
      </q:Description></q:RDF>
      """
    let xmp = XMPData(bytes: Array(text.utf8))

    #expect(xmp.values(dublinCore, "format") == ["image/png"])
    #expect(xmp.values(dublinCore, "source") == ["a & b"])
    #expect(xmp.values(dublinCore, "creator") == ["Ada", "G & H"])
    #expect(xmp.values(dublinCore, "rights") == ["rights", "droits"])
    #expect(xmp.values(dublinCore, "missing") == [])
    #expect(xmp.values("http://example.com/", "creator") == [])
  }

  @Test(
    "A document that is not well-formed, or has a document type, has no properties",
    arguments: [
      "", "<", "<a", "<a>", "<a></b>", "<a b=c/>", "<a b='&x;'/>", "<a>&#xD800;</a>",
      "<!DOCTYPE a [<!ENTITY e 'x'>]><a/>", "<?xml", "<!-- ",
    ])
  func notWellFormed(text: String) {
    #expect(XMPData(bytes: Array(text.utf8)).values(dublinCore, "title").isEmpty)
    let inside = packet("<dc:title>T</dc:title>" + text)
    #expect(XMPData(bytes: inside).values(dublinCore, "title") == (text.isEmpty ? ["T"] : []))
  }

  @Test("A name that is not UTF-8 makes a document not well-formed")
  func damagedName() {
    let document = packet("<dc:title>T</dc:title><abc/>")
    let start = document.positions(of: Array("abc".utf8))[0]
    var damaged = document
    damaged[start] = 0xE4

    #expect(XMPData(bytes: document).values(dublinCore, "title") == ["T"])
    #expect(XMPData(bytes: damaged).values(dublinCore, "title") == [])
    #expect(XMPData(bytes: [0x3C, 0x80, 0x81, 0x3E]).values(dublinCore, "title") == [])
  }

  @Test("Elements are nested at most 64 deep")
  func depth() {
    func title(depth: Int) -> [String] {
      let nested = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
      return XMPData(bytes: packet("<dc:title>T</dc:title>" + nested)).values(dublinCore, "title")
    }

    #expect(title(depth: 62) == ["T"])
    #expect(title(depth: 63) == [])
    #expect(title(depth: 100_000) == [])
  }

  @Test("A document of more than 50,000 elements has no properties")
  func manyElements() {
    func title(count: Int) -> [String] {
      XMPData(bytes: packet("<dc:title>T</dc:title>" + String(repeating: "<a/>", count: count)))
        .values(dublinCore, "title")
    }

    #expect(title(count: 49_000) == ["T"])
    #expect(title(count: 50_000) == [])
  }

  private func packet(_ content: String) -> [UInt8] {
    let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    return Array(
      ("<rdf:RDF xmlns:rdf='\(rdf)'><rdf:Description xmlns:dc='\(dublinCore)'>\(content)"
        + "</rdf:Description></rdf:RDF>").utf8)
  }
}
