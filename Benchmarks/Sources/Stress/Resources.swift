import Foundation

/// What the process holds at a moment.
struct Resources {
  let kilobytes: Int
  let descriptors: Int

  static var now: Resources {
    let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return Resources(
      kilobytes: pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024, descriptors: open?.count ?? 0)
  }
}

/// The same numbers for the same seed.
struct Lot: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
