#if canImport(Glibc)
  public import Glibc

  /// The text of a file of another process in `/proc`, or `nil` if the process ends meanwhile.
  ///
  /// `String(contentsOfFile:)` of Foundation leaks its buffer then, which a leak checker reports.
  public func processFile(_ name: String, of process: pid_t) -> String? {
    let file = open("/proc/\(process)/\(name)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while true {
      let count = read(file, &part, part.count)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      guard count > 0 else { return nil }
      bytes += part[..<count]
    }
  }
#endif
