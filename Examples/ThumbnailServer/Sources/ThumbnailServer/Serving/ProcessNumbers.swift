internal import CHeap
internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What the system says of this process; nothing where there is no `/proc`.
struct ProcessNumbers {
  var residentBytes: Int
  var openDescriptors: Int
  /// Of all threads, in user and system mode.
  var processorSeconds: Double

  static var now: ProcessNumbers? {
    #if os(Linux)
      guard let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
        let resident = pages.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      else { return nil }
      return ProcessNumbers(
        residentBytes: resident * sysconf(Int32(_SC_PAGESIZE)), openDescriptors: descriptors.count,
        processorSeconds: processor_seconds())
    #else
      return nil
    #endif
  }
}
