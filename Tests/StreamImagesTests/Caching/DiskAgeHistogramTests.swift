import Foundation
import StreamImages
import Testing

@Suite("`DiskAgeHistogram`")
struct DiskAgeHistogramTests {
  /// The ages of files of 10 bytes each.
  private func ages(_ times: some Sequence<Int>) -> DiskAgeHistogram {
    var ages = DiskAgeHistogram()
    for time in times { ages.add(time, 10) }
    return ages
  }

  /// What a sweep would delete of them, in the order in which it comes across them.
  private func deleted(_ times: [Int], _ excess: DiskSize) -> [Int] {
    guard var cut = ages(times).cut(excess) else { return [] }
    return times.filter { time in
      guard cut.deletes(time) else { return false }
      cut.deleted(time, 10)
      return true
    }
  }

  @Test("`DiskAgeHistogram` counts all files and bytes")
  func total() {
    #expect(ages([3, 1, 3]).total == DiskSize(byteCount: 30, count: 3))
    #expect(DiskAgeHistogram().cut(DiskSize(byteCount: 1)) == nil)
    #expect(ages([1]).cut(DiskSize()) == nil)
  }

  @Test("A cut of file ages deletes enough of the oldest by bytes, count, and both")
  func cut() {
    let times = [50, 10, 40, 20, 30]

    #expect(deleted(times, DiskSize(byteCount: 15)) == [10, 20])
    #expect(deleted(times, DiskSize(byteCount: 20)) == [10, 20])
    #expect(deleted(times, DiskSize(count: 3)) == [10, 20, 30])
    #expect(deleted(times, DiskSize(byteCount: 31, count: 1)) == [10, 40, 20, 30])
    #expect(deleted(times, DiskSize(byteCount: 1_000)) == times)
  }

  @Test("A cut of file ages deletes only as many as needed of equal age")
  func ties() {
    #expect(deleted([7, 7, 7, 7, 1], DiskSize(count: 3)) == [7, 7, 1])
    #expect(deleted(Array(repeating: 0, count: 9), DiskSize(byteCount: 25)) == [0, 0, 0])
  }

  @Test(
    "A cut of many file ages deletes the oldest, except for a few in one bin",
    arguments: [1, 1_000_003, 60_000_000_000])
  func many(_ distance: Int) {
    let times = (0..<50_000).map { ($0 * 7_919 % 50_000) * distance + 1_700_000_000_000_000_000 }

    let gone = deleted(times, DiskSize(count: 15_000))

    #expect(gone.count == 15_000)
    let exact = Set(times.sorted().prefix(15_000))
    #expect(gone.count { !exact.contains($0) } <= 50)
  }

  @Test("A cut of file ages is refined only if most files are in one bin")
  func coarse() throws {
    // A few that are old and far apart; the others lie within a second.
    let old = (0..<6_000).map { $0 * 1_000_000_000_000 }
    let recent = (0..<50_000).map { 6_100 * 1_000_000_000_000 + $0 * 20_000 }
    let excess = DiskSize(count: 10_000)
    let all = ages(old + recent)
    let cut = try #require(all.cut(excess))
    #expect(cut.isCoarse(of: all.total))

    let finer = try #require(ages(recent.filter(cut.holds)).cut(cut.quota))

    #expect(!finer.isCoarse(of: all.total))
    #expect(old.allSatisfy(finer.deletes))
    #expect(recent.prefix(3_900).allSatisfy(finer.deletes))
    #expect(!recent.dropFirst(4_100).contains(where: finer.deletes))
    #expect(try #require(ages(0..<3_000).cut(excess)).isCoarse(of: DiskSize(count: 3_000)) == false)
  }

  @Test("A bin is coarse if it holds more than a sixty-fourth of all files, and more than one time")
  func coarseBounds() throws {
    for (extra, isCoarse) in [(63, false), (64, true)] {
      let all = ages(Array(0..<4_097) + Array(repeating: 0, count: extra))
      let cut = try #require(all.cut(DiskSize(count: 1)))

      #expect(cut.isCoarse(of: all.total) == isCoarse)
    }
    let sameTime = ages(Array(repeating: 0, count: 1_000))
    #expect(try #require(sameTime.cut(DiskSize(count: 1))).isCoarse(of: sameTime.total) == false)
  }

  @Test("A cut that needs exactly one bin ends in it, by bytes and by number")
  func exactBin() throws {
    let all = ages([10, 20, 30])
    for excess in [DiskSize(byteCount: 20), DiskSize(count: 2), DiskSize(byteCount: 20, count: 2)] {
      let cut = try #require(all.cut(excess))
      #expect([10, 20, 30].map(cut.holds) == [false, true, false])
    }
    #expect(deleted([0, 0, 0, 0], DiskSize(byteCount: 20)) == [0, 0])
    #expect(deleted([5], DiskSize(byteCount: 1)) == [5])
    #expect(deleted([5], DiskSize(count: 1)) == [5])
  }

  @Test("Up to 4,096 times of use have a bin each; above, neighbours share bins until there are fewer")
  func bins() throws {
    let times = (0..<4_097).map { $0 * 4 }
    let exact = try #require(ages(times.dropLast()).cut(DiskSize(count: 1)))
    #expect([0, 1].map(exact.holds) == [true, false])

    let shared = try #require(ages(times).cut(DiskSize(count: 1)))
    #expect([0, 7, 8].map(shared.holds) == [true, true, false])
  }
}
