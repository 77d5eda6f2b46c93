import Foundation
import StreamImages
import Testing

/// A body that can be resumed, with one thing changed at a time.
@Suite struct PartialBodyTests {
  private let url = URL(string: "https://a.example/a.jpg")!
  private let monday = "Mon, 05 Jan 2026 00:00:00 GMT"
  private let second = "Mon, 05 Jan 2026 00:00:01 GMT"

  private func head(_ status: Int, _ fields: [String: String]) -> LoadedHead {
    LoadedHead(
      status: status,
      headers: HeaderFields(fields.map { HeaderFields.Field(name: $0.key, value: $0.value) }), url: url)
  }

  private func body(
    _ fields: [String: String], _ count: Int = 10, of total: Int? = 20,
    _ change: (inout LoadedHead) -> Void = { _ in }
  ) -> PartialBody? {
    var head = head(200, fields.merging(["Accept-Ranges": "bytes"]) { own, _ in own })
    change(&head)
    return PartialBody(Data(count: count), of: head, total: total)
  }

  @Test("A body can be resumed if some of it is there, and some is missing")
  func sizes() {
    for (count, total, canBeResumed) in [
      (0, 20, false), (1, 20, true), (19, 20, true), (20, 20, false), (21, 20, false), (1, nil, true),
      (0, nil, false),
    ] as [(Int, Int?, Bool)] {
      #expect(
        (body(["ETag": "\"1\""], count, of: total) != nil) == canBeResumed,
        "\(count) of \(total as Any)")
    }
  }

  @Test("A body can be resumed if it was not compressed, and its server promises ranges of bytes")
  func promises() {
    #expect(body(["ETag": "\"1\""]) != nil)
    for status in [199, 201, 203, 206, 304] { #expect(body(["ETag": "\"1\""]) { $0.status = status } == nil) }
    #expect(body(["ETag": "\"1\""]) { $0.isContentCoded = true } == nil)
    for (ranges, isPromised) in [
      ("bytes", true), ("BYTES", true), ("none", false), ("", false), ("none, bytes", true), ("byte", false),
      ("bytes2", false),
    ] {
      #expect((body(["ETag": "\"1\"", "Accept-Ranges": ranges]) != nil) == isPromised, "\(ranges)")
    }
  }

  @Test("Only a strong tag, or else a time before the second of the response, is a validator")
  func validators() {
    #expect(body(["ETag": "\"1\""])?.validator == "\"1\"")
    #expect(body(["ETag": "W/\"1\""]) == nil)
    #expect(body(["ETag": "1"]) == nil)
    #expect(body(["ETag": "W/\"1\"", "Last-Modified": monday, "Date": second]) == nil)
    #expect(body(["Last-Modified": monday, "Date": second])?.validator == monday)
    #expect(body(["Last-Modified": monday, "Date": monday]) == nil)
    #expect(body(["Last-Modified": second, "Date": monday]) == nil)
    #expect(body(["Last-Modified": monday]) == nil)
    #expect(body(["Date": second]) == nil)
    #expect(body(["Last-Modified": "yesterday", "Date": second]) == nil)
    #expect(body(["Last-Modified": monday, "Date": "today"]) == nil)
    #expect(body([:]) == nil)
  }

  private func part(
    _ bytes: Range<Int> = 10..<20, of total: Int? = 20, _ fields: [String: String] = ["ETag": "\"1\""],
    _ change: (inout LoadedHead) -> Void = { _ in }
  ) -> LoadedHead {
    var head = head(206, fields)
    head.partial = LoadedHead.ByteRange(bytes: bytes, total: total)
    change(&head)
    return head
  }

  @Test("A partial response continues a body if it begins where the body ends, and reaches the end")
  func ranges() throws {
    let known = try #require(body(["ETag": "\"1\""]))
    let unknown = try #require(body(["ETag": "\"1\""], of: nil))

    for (bytes, total, continuesKnown, continuesUnknown) in [
      (10..<20, 20, true, true), (9..<20, 20, false, false), (11..<20, 20, false, false),
      (10..<19, 20, false, false), (10..<21, 20, false, false), (10..<21, 21, false, true),
      (10..<20, 21, false, false), (10..<19, 19, false, true), (10..<20, nil, true, false),
      (10..<19, nil, false, false),
    ] as [(Range<Int>, Int?, Bool, Bool)] {
      #expect(
        known.isContinued(by: part(bytes, of: total)) == continuesKnown, "\(bytes) of \(total as Any)")
      #expect(
        unknown.isContinued(by: part(bytes, of: total)) == continuesUnknown,
        "\(bytes) of \(total as Any)")
    }
    for status in [200, 205, 207, 304, 416] {
      #expect(!known.isContinued(by: part { $0.status = status }))
    }
    #expect(!known.isContinued(by: part { $0.isContentCoded = true }))
    #expect(!known.isContinued(by: part { $0.partial = nil }))
  }

  @Test("A partial response continues a body if it has the same validator of the same kind")
  func sameVersion() throws {
    let tagged = try #require(body(["ETag": "\"1\"", "Last-Modified": monday, "Date": second]))
    let dated = try #require(body(["Last-Modified": monday, "Date": second]))

    for (fields, continuesTagged, continuesDated) in [
      (["ETag": "\"1\""], true, false), (["ETag": "\"2\""], false, false),
      (["ETag": "W/\"1\""], false, false),
      (["ETag": "1"], false, false), ([:], false, false), (["Last-Modified": monday], false, true),
      (["Last-Modified": second], false, false),
      (["Last-Modified": "Monday, 05-Jan-26 00:00:00 GMT"], false, false),
      (["ETag": "\"1\"", "Last-Modified": monday], true, true),
      (["ETag": "\"2\"", "Last-Modified": monday], false, true),
    ] as [([String: String], Bool, Bool)] {
      #expect(tagged.isContinued(by: part(10..<20, of: 20, fields)) == continuesTagged, "\(fields)")
      #expect(dated.isContinued(by: part(10..<20, of: 20, fields)) == continuesDated, "\(fields)")
    }
  }

  @Test("A partial response continues a body if both have the same URL but for its query")
  func sameURL() throws {
    for (first, second, isSame) in [
      ("/a.jpg", "/a.jpg", true), ("/a.jpg", "/a.jpg?b", true), ("/a.jpg?b", "/a.jpg", true),
      ("/a.jpg?b", "/a.jpg?c", true), ("/a.jpg", "/b.jpg", false), ("/a.jpg", "//b.example/a.jpg", false),
      ("/a.jpg", "http://a.example/a.jpg", false),
    ] {
      let known = try #require(body(["ETag": "\"1\""]) { $0.url = URL(string: first, relativeTo: url)! })

      let isContinued = known.isContinued(by: part { $0.url = URL(string: second, relativeTo: url)! })

      #expect(isContinued == isSame, "\(first) \(second)")
    }
  }
}
