import Foundation
import StreamImages
import Testing

@Suite("`BodyCollector`")
struct BodyCollectorTests {
  /// What it reports and shows of pieces of these sizes, of 80 bytes that are expected.
  private func take(_ sizes: [Int]) throws -> (reported: [Int], shown: [Int]) {
    var (reported, shown) = ([Int](), [Int]())
    var intake = BodyCollector(limit: 1_000, expected: 80) {
      reported.append($0.completed)
    } show: {
      shown.append($0.count)
    }
    for size in sizes { try intake.take(Data(count: size)) }
    return (reported, shown)
  }

  @Test(
    "As many bytes as the limit are taken, and not one more",
    arguments: [([60, 40], true), ([100], true), ([60, 41], false), ([101], false)])
  func limit(_ sizes: [Int], _ isWithin: Bool) {
    var intake = BodyCollector(limit: 100, expected: nil, report: { _ in }, show: nil)
    let result = Result { () throws(DataLoadingError) in
      for size in sizes { try intake.take(Data(count: size)) }
    }

    if isWithin {
      #expect((try? result.get()) != nil && intake.data.count == 100)
    } else {
      #expect(throws: DataLoadingError.tooLarge(limit: 100, announced: nil)) { try result.get() }
    }
  }

  @Test("An empty chunk reports no progress")
  func nothing() throws {
    #expect(try take([0, 30, 0, 50, 0]).reported == [30, 80])
  }

  @Test(
    "Partial data is shown at each eighth, and never the complete data",
    arguments: [
      ([9, 1, 9, 1], [10, 20]), ([45, 4, 1], [45, 50]), ([79, 1], [79]), ([80], []), ([40, 41, 10], [40]),
    ])
  func showing(_ sizes: [Int], _ shown: [Int]) throws {
    #expect(try take(sizes).shown == shown)
  }
}
