import Foundation
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

  @Test("A value that replaces another is not secret unless it is said so")
  func replaced() {
    var fields: HeaderFields = ["X-Key": "1", "A": "2", "x-key": "3"]
    fields.replace("X-KEY", with: "4")
    #expect(fields.description == "X-KEY: 4\nA: 2")

    fields.replace("X-Key", with: "5", isSecret: true)
    #expect(fields.description == "X-Key: …\nA: 2")
  }

  @Test("Fields are equal if their names and values have the same bytes, and if both or none are secret")
  func equality() {
    typealias Field = HeaderFields.Field
    let field = Field(name: "é", value: "ü")

    #expect(
      field == Field(name: "é", value: "ü") && field.hashValue == Field(name: "é", value: "ü").hashValue)
    for other in [
      Field(name: "e\u{301}", value: "ü"), Field(name: "é", value: "u\u{308}"), Field(name: "É", value: "ü"),
      Field(name: "é", value: "ü", isSecret: true), Field(name: "e", value: "u", isSecret: true),
    ] {
      #expect(field != other)
    }
  }

  @Test("Only fields that cannot change the meaning of a message are sent")
  func sendable() throws {
    func isSent(_ name: String, _ value: String) -> Bool {
      let request = DataRequest(
        url: URL(string: "https://a.example")!, headers: HeaderFields([.init(name: name, value: value)]))
      do throws(DataLoadingError) {
        _ = try RedirectChain(request, limits: LoadLimits())
        return true
      } catch {
        #expect(error == .invalidHeader(name: name))
        return false
      }
    }
    for name in ["A", "x-key", "!#$%&'*+-.^_`|~", "az09AZ", "Hosts", "X-Host"] {
      #expect(isSent(name, "1"), "\(name)")
    }
    for name in [
      "", " ", "a b", "a:", "a\u{0}", "é", "a\n", "(", "Host", "host", "Connection", "Content-Length",
      "Expect",
      "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    ] {
      #expect(!isSent(name, "1"), "\(name.debugDescription)")
    }
    for (byte, sent) in [
      (0x00, false), (0x08, false), (0x09, true), (0x0A, false), (0x0D, false), (0x1F, false), (0x20, true),
      (0x7E, true), (0x7F, false), (0x80, true),
    ] as [(UInt8, Bool)] {
      #expect(isSent("A", "x\(Unicode.Scalar(byte))y") == sent, "\(byte)")
    }
    #expect(isSent("A", ""))
  }

  @Test("The description of header fields contains no secrets")
  func redaction() {
    var fields: HeaderFields = ["Authorization": "Bearer 1", "cookie": "2", "Accept": "3"]
    fields.append("X-Key", "4", isSecret: true)

    #expect(fields.description == "Authorization: …\ncookie: …\nAccept: 3\nX-Key: …")
  }
}
