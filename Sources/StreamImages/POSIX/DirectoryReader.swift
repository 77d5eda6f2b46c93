// The members of system structures belong to one of these modules: the one that the compiler has loaded first.
#if canImport(Glibc)
  internal import Glibc
#endif
#if canImport(CoreFoundation)
  internal import CoreFoundation
#endif
#if canImport(CDispatch)
  internal import CDispatch
#endif
internal import Foundation

/// Reads the names in a directory one by one, so that memory does not grow with the directory.
package struct DirectoryReader: ~Copyable {
  private static let nameOffset = MemoryLayout<dirent>.offset(of: \dirent.d_name)!

  #if canImport(Darwin)
    private let stream: UnsafeMutablePointer<DIR>
  #else
    private let stream: OpaquePointer
  #endif

  /// - Parameter number: A descriptor of the directory. It is closed when this value is destroyed.
  package init(_ number: Int32) throws(SystemError) {
    guard let stream = fdopendir(number) else {
      let code = errno
      _ = close(number)
      throw SystemError(operation: "fdopendir", path: nil, code: code)
    }
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// Returns the next name, in no particular order, without "." and "..". Valid until the next call. The file may be
  /// deleted.
  package mutating func next() -> UnsafeBufferPointer<CChar>? {
    while let entry = readdir(stream) {
      // A record ends with its name. Reading the whole structure would read beyond it.
      let name = (UnsafeRawPointer(entry) + Self.nameOffset).assumingMemoryBound(to: CChar.self)
      let count = strlen(name)
      let isDirectoryItself = (count == 1 || (count == 2 && name[1] == 0x2E)) && name[0] == 0x2E
      if !isDirectoryItself { return UnsafeBufferPointer(start: name, count: count) }
    }
    return nil
  }
}
