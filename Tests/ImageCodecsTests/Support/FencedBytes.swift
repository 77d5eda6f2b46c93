import Foundation

/// Bytes that begin or end beside memory that nobody may touch: code that reads or writes beyond them ends the process.
final class FencedBytes {
  enum Side: CaseIterable, Sendable { case before, after }

  let start: UnsafeMutablePointer<UInt8>
  private let count: Int
  private let region: UnsafeMutableRawPointer
  private let length: Int

  init(_ content: [UInt8], fence: Side) {
    // A multiple of the pages of all systems.
    let page = 1 << 16
    count = content.count
    length = (count / page + 3) * page
    guard let region = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      region != MAP_FAILED, mprotect(region, page, PROT_NONE) == 0,
      mprotect(region + length - page, page, PROT_NONE) == 0
    else { fatalError("no memory") }
    self.region = region
    let first = fence == .before ? page : length - page - count
    start = (region + first).assumingMemoryBound(to: UInt8.self)
    for (index, byte) in content.enumerated() { start[index] = byte }
  }

  deinit { munmap(region, length) }

  var content: [UInt8] { (0..<count).map { start[$0] } }
}

extension UnsafeMutablePointer<UInt8> {
  var floats: UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Float.self)
  }
  var doubles: UnsafeMutablePointer<Double> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Double.self)
  }
}

/// The bytes of numbers as they are in memory.
func raw<Number>(_ numbers: [Number]) -> [UInt8] { numbers.withUnsafeBytes { Array($0) } }
