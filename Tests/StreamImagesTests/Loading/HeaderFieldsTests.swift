import StreamImages
import Testing

@Suite struct HeaderFieldsTests {
  @Test("Header names are found, replaced and removed regardless of case")
  func access() {
    var fields: HeaderFields = ["Accept": "a", "X": "1", "accept": "b"]

    #expect(fields["ACCEPT"] == "a")
    #expect(fields.values(for: "accept") == ["a", "b"])
    #expect(fields.combined("Accept") == "a, b")
    fields["aCCept"] = "c"
    #expect(fields.map(\.value) == ["c", "1"])
    fields["x"] = nil
    fields["New"] = "2"
    #expect(fields.map(\.name) == ["aCCept", "New"])
    #expect(fields["missing"] == nil && fields.combined("missing") == nil)
  }

  @Test("Case is ignored only for ASCII letters in header names")
  func notASCII() {
    let fields: HeaderFields = ["É": "1", "[": "2"]

    #expect(fields["é"] == nil)
    #expect(fields["{"] == nil)
  }

  @Test("The description of header fields contains no secrets")
  func redaction() {
    var fields: HeaderFields = ["Authorization": "Bearer 1", "cookie": "2", "Accept": "3"]
    fields.append("X-Key", "4", isSecret: true)

    #expect(fields.description == "Authorization: …\ncookie: …\nAccept: 3\nX-Key: …")
  }
}
