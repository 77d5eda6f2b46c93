import Foundation
import StreamImages
import Testing

@Suite("`DiskCut`")
struct DiskCutTests {
  private func cut(_ times: [Int], _ excess: DiskSize) -> DiskCut? {
    DiskCut(times.map { (used: $0, byteCount: 10) }, excess)
  }

  /// What a sweep would delete of files of 10 bytes each, in the order in which it comes across them.
  private func deleted(_ times: [Int], _ excess: DiskSize) -> [Int] {
    guard var cut = cut(times, excess) else { return [] }
    return times.filter { time in
      guard cut.deletes(time) else { return false }
      cut.deleted(time, 10)
      return true
    }
  }

  @Test("A sweep deletes nothing if there is nothing to delete, or nothing to delete it from")
  func nothing() {
    #expect(cut([], DiskSize(byteCount: 1, count: 1)) == nil)
    #expect(cut([1], DiskSize()) == nil && cut([1], DiskSize(byteCount: -1, count: -1)) == nil)
    #expect(cut([1], DiskSize(byteCount: 1, count: -1)) != nil)
    #expect(cut([1], DiskSize(byteCount: -1, count: 1)) != nil)
  }

  @Test("A sweep deletes enough of the oldest files by bytes, count, and both")
  func cut() {
    let times = [50, 10, 40, 20, 30]

    #expect(deleted(times, DiskSize(byteCount: 15)) == [10, 20])
    #expect(deleted(times, DiskSize(byteCount: 20)) == [10, 20])
    #expect(deleted(times, DiskSize(count: 3)) == [10, 20, 30])
    #expect(deleted(times, DiskSize(byteCount: 31, count: 1)) == [10, 40, 20, 30])
    #expect(deleted(times, DiskSize(byteCount: 1_000)) == times)
    #expect(deleted([5], DiskSize(byteCount: 1)) == [5] && deleted([5], DiskSize(count: 1)) == [5])
  }

  @Test("A sweep deletes only as many files as needed of equal age")
  func ties() {
    #expect(deleted([7, 7, 7, 7, 1], DiskSize(count: 3)) == [7, 7, 1])
    #expect(deleted(Array(repeating: 0, count: 9), DiskSize(byteCount: 25)) == [0, 0, 0])
    #expect(deleted([0, 0, 0, 0], DiskSize(byteCount: 20)) == [0, 0])
    #expect(deleted([2, 1, 2], DiskSize(count: 1)) == [1])
    #expect(deleted([2, 1, 2], DiskSize(byteCount: 15)) == [2, 1])
  }

  @Test("A sweep deletes exactly the oldest of many files", arguments: [1, 1_000_003, 60_000_000_000])
  func many(_ distance: Int) {
    let times = (0..<50_000).map { ($0 * 7_919 % 50_000) * distance + 1_700_000_000_000_000_000 }

    let gone = deleted(times, DiskSize(count: 15_000))

    #expect(gone.count == 15_000 && Set(gone) == Set(times.sorted().prefix(15_000)))
  }
}
