internal import Foundation

/// Reads the names in a directory as they are asked for, so that memory does not grow with the directory.
struct DirectoryReader: ~Copyable {
  private static let nameOffset = MemoryLayout<dirent>.offset(of: \dirent.d_name)!

  #if canImport(Darwin)
    private let stream: UnsafeMutablePointer<DIR>
  #else
    private let stream: OpaquePointer
  #endif

  /// - Parameter number: A descriptor of the directory, which is closed with this.
  init(_ number: Int32) throws(SystemError) {
    guard let stream = fdopendir(number) else {
      let code = errno
      _ = close(number)
      throw SystemError(operation: "fdopendir", path: nil, code: code)
    }
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// The next name, in no order, without "." and "..". Valid until the next call; deleting the file is fine.
  mutating func next() -> UnsafeBufferPointer<CChar>? {
    while let entry = readdir(stream) {
      // A record ends with its name: to read it as a whole would read beyond it.
      let name = (UnsafeRawPointer(entry) + Self.nameOffset).assumingMemoryBound(to: CChar.self)
      let count = strlen(name)
      let isDirectoryItself = (count == 1 || (count == 2 && name[1] == 0x2E)) && name[0] == 0x2E
      if !isDirectoryItself { return UnsafeBufferPointer(start: name, count: count) }
    }
    return nil
  }
}
