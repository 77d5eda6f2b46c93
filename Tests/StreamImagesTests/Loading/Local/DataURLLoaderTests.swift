import Foundation
import StreamImages
import Testing

@Suite struct DataURLLoaderTests {
  @Test(
    "`DataURL` parses well-formed URLs",
    arguments: [
      ("data:,", "text/plain;charset=US-ASCII", ""), ("data:,A%20b", "text/plain;charset=US-ASCII", "A b"),
      ("DATA:text/html,x", "text/html", "x"), ("data:image/png;base64,SGk=", "image/png", "Hi"),
      ("data:image/png;BASE64,SGk", "image/png", "Hi"),
      ("data:image/png; base64,SGk=", "image/png", "Hi"),
      ("data:a/b;x=y;%20%20base64%20,SGk=", "a/b;x=y", "Hi"),
      ("data:a/base64,SGk", "a/base64", "SGk"), ("data:a/b;xbase64,SGk", "a/b;xbase64", "SGk"),
      ("data:;base64,SGkh", "text/plain;charset=US-ASCII", "Hi!"),
      ("data:;charset=utf-8,x", "text/plain;charset=utf-8", "x"),
      ("data:;base64,S%47k%3D", "text/plain;charset=US-ASCII", "Hi"),
      ("data:;base64,S%0AG%20k=", "text/plain;charset=US-ASCII", "Hi"),
      ("data:;base64,%09S%0CG%0Dk%20=%0A", "text/plain;charset=US-ASCII", "Hi"),
      ("data:a/b;base64;x=y,SGk=", "a/b;base64;x=y", "SGk="),
      ("data:,%3f%3F%41%5a", "text/plain;charset=US-ASCII", "??AZ"),
      ("data:,%2a%2B", "text/plain;charset=US-ASCII", "*+"),
      ("data:,a,b", "text/plain;charset=US-ASCII", "a,b"), ("data:,a#b", "text/plain;charset=US-ASCII", "a"),
    ])
  func wellFormed(text: String, mediaType: String, content: String) throws {
    let parsed = try DataURL(text, maximumByteCount: 100)

    #expect(parsed.mediaType == mediaType)
    #expect(String(decoding: parsed.bytes, as: UTF8.self) == content)
  }

  @Test(
    "`DataURL` rejects malformed URLs",
    arguments: [
      "data:", "data:image/png;base64", "data:;base64,A", "data:;base64,AAAAA", "data:;base64,AA=A",
      "data:;base64,AAA==", "data:;base64,====", "data:;base64,AAAA====", "data:;base64,AAAA=",
      "data:;base64,AA===", "data:;base64,A-_A", "data:;base64,éé", "data:,%",
      "data:,%4", "data:,%zz",
    ])
  func malformed(text: String) {
    #expect { try DataURL(text, maximumByteCount: 100) } throws: { error in
      if case .malformedDataURL? = error as? DataLoadingError { true } else { false }
    }
  }

  @Test("The size limit applies to plain and Base64 data URLs", arguments: ["data:,", "data:;base64,"])
  func limited(start: String) throws {
    let body =
      start.hasSuffix("base64,")
      ? Data(repeating: 0x2E, count: 75).base64EncodedString() : String(repeating: ".", count: 75)

    #expect(try DataURL(start + body, maximumByteCount: 75).bytes.count == 75)
    for limit in [74, 10, 0] {
      #expect { try DataURL(start + body, maximumByteCount: limit) } throws: { error in
        if case .tooLarge(limit, _)? = error as? DataLoadingError { true } else { false }
      }
    }
  }

  @Test(
    "Base64 of every length and of every digit is decoded as Foundation writes it, with padding and without")
  func base64() throws {
    for count in 0...100 {
      let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 0x35 ^ count) })
      let text = data.base64EncodedString()
      for text in [text, text.filter { $0 != "=" }] {
        #expect(try DataURL("data:;base64," + text, maximumByteCount: 100).bytes == Array(data), "\(text)")
      }
    }
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    let all = try DataURL("data:;base64," + digits, maximumByteCount: 100)
    #expect(Data(all.bytes) == Data(base64Encoded: digits))
  }

  @Test("A data URL of exactly the limit is parsed, however its bytes are written")
  func exactLimit() throws {
    for text in ["data:,A", "data:,%41", "data:;base64,QQ==", "data:;base64,%51%51%3D%3D"] {
      #expect(try DataURL(text, maximumByteCount: 1).bytes == [0x41])
    }
  }

  @Test("Another scheme than `data` is not parsed")
  func scheme() {
    #expect(throws: DataLoadingError.unsupportedScheme("http")) {
      try DataURL("HTTP:,a", maximumByteCount: 100)
    }
  }

  @Test("`DataURLLoader` loads a data URL with its content type and length")
  func loading() async throws {
    let request = DataRequest(url: URL(string: "data:image/gif;base64,R0lGODlh")!)

    let (head, body) = try await DataURLLoader().data(for: request)

    #expect(body == Data("GIF89a".utf8))
    #expect(head.contentType == "image/gif")
    #expect(head.expectedByteCount == 6)
  }

  @Test("A data URL of ten megabytes is refused by default")
  func tooLarge() async throws {
    let url = try #require(URL(string: "data:;base64," + String(repeating: "A", count: 10 << 20)))

    let error = await failure { () throws(DataLoadingError) in
      try await DataURLLoader().load(DataRequest(url: url))
    }

    #expect(error == .tooLarge(limit: 1 << 20, announced: nil))
  }

  @Test("Random data URLs never trap")
  func noise() {
    var random = SystemRandomNumberGenerator()
    let pieces = ["data:", ";base64", ",", "%", "=", "A", "AAAA", "é", "#", "\u{301}", ":", ";", " "]

    var outcomes = Set<Bool>()
    for _ in 0..<5000 {
      let text = "data:" + (0..<8).map { _ in pieces.randomElement(using: &random)! }.joined()
      outcomes.insert((try? DataURL(text, maximumByteCount: 5)) != nil)
    }

    #expect(outcomes == [true, false])
  }
}
