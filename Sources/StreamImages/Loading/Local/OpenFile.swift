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

/// A regular file that is open for reading. It is closed when it is released.
final class OpenFile: Sendable {
  let byteCount: Int
  private let descriptor: CInt
  private let path: String

  /// Opens the file without blocking, and accepts regular files only.
  ///
  /// - Parameter roots: One of these directories must contain the file, after following links. `nil` allows all files.
  init(path bytes: [UInt8], roots: [String]?) throws(DataLoadingError) {
    path = String(decoding: bytes, as: UTF8.self)
    var target = bytes.map { CChar(bitPattern: $0) } + [0]
    var flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
    if let roots {
      target = try Self.resolving(target, within: roots, path: path)
      flags |= O_NOFOLLOW
    }
    let opened = open(target, flags)
    guard opened >= 0 else { throw Self.failure(errno, path: path) }
    var facts = stat()
    guard fstat(opened, &facts) == 0 else {
      let code = errno
      close(opened)
      throw Self.failure(code, path: path)
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw .notARegularFile(path: path)
    }
    descriptor = opened
    byteCount = Int(facts.st_size)
  }

  deinit { close(descriptor) }

  /// Reads at most `count` bytes; fewer only at the end of the file.
  func read(at offset: Int, count: Int) throws(DataLoadingError) -> [UInt8] {
    var code: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
        if got > 0 {
          filled += got
        } else if got == 0 {
          return
        } else if errno != EINTR {
          code = errno
          return
        }
      }
    }
    guard code == 0 else { throw Self.failure(code, path: path) }
    return bytes
  }

  private static func failure(_ code: CInt, path: String) -> DataLoadingError {
    switch code {
    case ENOENT, ENOTDIR: .fileNotFound(path: path)
    // The errors of opening a socket, or a device without a driver.
    case ENXIO, ENODEV: .notARegularFile(path: path)
    default: .fileUnreadable(path: path, code: code)
    }
  }

  private static func resolving(
    _ path: [CChar], within roots: [String], path text: String
  ) throws(DataLoadingError) -> [CChar] {
    guard let resolved = real(path) else { throw failure(errno, path: text) }
    for root in roots {
      guard let directory = real(Array(root.utf8CString)) else { continue }
      let prefix = directory.dropLast(directory == [slash, 0] ? 2 : 1) + [slash]
      if resolved.starts(with: prefix) { return resolved }
    }
    throw .fileOutsideRoots(path: text)
  }

  /// The path without links and dots, with its final zero. Bytes, because file names need not be UTF-8.
  private static func real(_ path: [CChar]) -> [CChar]? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved) + 1))
  }

  private static let slash = CChar(UInt8(ascii: "/"))
}
