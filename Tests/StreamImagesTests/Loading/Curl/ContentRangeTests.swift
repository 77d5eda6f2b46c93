import StreamImages
import Testing

@Suite struct ContentRangeTests {
  @Test("`ContentRange` parses valid ranges")
  func readable() {
    let known = ContentRange("bytes 0-9/10")
    let open = ContentRange("Bytes 5-5/*")

    #expect(known?.first == 0 && known?.last == 9 && known?.total == 10)
    #expect(open?.first == 5 && open?.last == 5 && open?.total == nil)
  }

  @Test(
    "`ContentRange` rejects invalid ranges",
    arguments: [
      "", "bytes", "bytes */10", "bytes 5-4/10", "bytes 0-10/10", "bytes -1-5/10", "bytes 0-9/x",
      "items 0-9/10",
      "bytes 0-9", "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*", "bytes 0-9/10/10",
      "bytes 0-9//10", "bytes /0-9/10", "bytes 0-9/10/", "bytes 0-9-5/10", "bytes 0/10",
    ])
  func unreadable(text: String) {
    #expect(ContentRange(text) == nil)
  }

  @Test("A range begins at or before its last byte, which is before the total")
  func bounds() {
    for first in 0..<4 {
      for last in 0..<4 {
        #expect((ContentRange("bytes \(first)-\(last)/*") != nil) == (first <= last))
        for total in 0..<6 {
          let range = ContentRange("bytes \(first)-\(last)/\(total)")
          #expect((range != nil) == (first <= last && last < total), "\(first)-\(last)/\(total)")
          #expect(
            range.map { [$0.first, $0.last, $0.total] } ?? [first, last, total] == [first, last, total])
        }
      }
    }
    #expect(ContentRange("bytes 0-9223372036854775806/*") != nil)
    #expect(ContentRange("bytes 0-9223372036854775806/9223372036854775807") != nil)
  }

  @Test("A content range has the first byte that was requested, and no byte that was not")
  func answers() throws {
    for first in 0..<4 {
      for last in first..<4 {
        for total in [nil, 4, 5] {
          let range = try #require(ContentRange("bytes \(first)-\(last)/\(total.map { "\($0)" } ?? "*")"))
          for from in 0..<4 {
            #expect(range.answers("bytes=\(from)-") == (from == first))
            #expect(!range.answers("bytes=\(from)-x"))
            for through in 0..<5 {
              #expect(range.answers("Bytes=\(from)-\(through)") == (from == first && through >= last))
            }
          }
          for count in 0..<6 {
            #expect(
              range.answers("bytes=-\(count)")
                == (last - first < count && (total == nil || last + 1 == total)))
            #expect(!range.answers("bytes=x-\(count)"))
          }
        }
      }
    }
  }

  @Test(
    "A content range is matched against the requested range",
    arguments: [
      ("bytes=0-", "bytes 0-9/10", true), ("bytes=0-4", "bytes 0-4/10", true),
      ("bytes=0-99", "bytes 0-9/10", true),
      ("bytes=0-4", "bytes 0-9/10", false), ("bytes=3-", "bytes 4-9/10", false),
      ("bytes=-4", "bytes 6-9/10", true), ("bytes=-4", "bytes 6-9/*", true),
      ("bytes=-4", "bytes 5-9/10", false), ("bytes=-4", "bytes 5-8/10", false),
      ("bytes=0-1,3-4", "bytes 0-1/10", false), ("bytes=0", "bytes 0-9/10", false),
      ("bytes=0-9-9", "bytes 0-9/10", false), ("bytes=", "bytes 0-9/10", false),
      ("bytes=-", "bytes 0-9/10", false), ("items=0-", "bytes 0-9/10", false),
    ])
  func asked(request: String, answer: String, fits: Bool) throws {
    let range = try #require(ContentRange(answer))

    #expect(range.answers(request) == fits)
  }
}
