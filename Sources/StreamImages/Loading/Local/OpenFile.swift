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
package final class OpenFile: Sendable {
  package let byteCount: Int
  let version: FileVersion
  private let descriptor: CInt
  private let path: String

  /// Opens the file without blocking, and accepts regular files only.
  ///
  /// - Parameter roots: One of these directories must contain the file, after following links. `nil` allows all files.
  package init(path bytes: [UInt8], roots: [String]?) throws(DataLoadingError) {
    path = String(decoding: bytes, as: UTF8.self)
    let target = bytes.map { CChar(bitPattern: $0) } + [0]
    let opened: CInt
    if let roots {
      opened = try Self.open(target, within: roots, path: path)
    } else {
      opened = Self.opening(target)
      guard opened >= 0 else { throw Self.failure(errno, path: path) }
    }
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
    version = FileVersion(path: target, FileStatus(facts))
  }

  deinit { close(descriptor) }

  /// Reads at most `count` bytes; fewer only at the end of the file.
  package func read(at offset: Int, count: Int) throws(DataLoadingError) -> [UInt8] {
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

  private static func open(
    _ path: [CChar], within roots: [String], path text: String
  ) throws(DataLoadingError) -> CInt {
    guard let resolved = real(path) else { throw failure(errno, path: text) }
    for root in roots {
      guard let directory = real(Array(root.utf8CString)) else { continue }
      let prefix = directory.dropLast(directory == [slash, 0] ? 2 : 1) + [slash]
      guard resolved.starts(with: prefix) else { continue }
      let names = resolved[prefix.count...].dropLast().split(separator: slash)
      return try open(names.map { $0 + [0] }, in: directory, path: text)
    }
    throw .fileOutsideRoots(path: text)
  }

  /// Opens each directory relative to the one before, without following links. There were none a moment ago, and a
  /// directory that is open cannot be exchanged for one.
  package static func open(
    _ names: [[CChar]], in root: [CChar], path: String
  ) throws(DataLoadingError) -> CInt {
    // The root itself.
    guard let file = names.last else { throw .notARegularFile(path: path) }
    var here = searching(AT_FDCWD, root)
    for name in names.dropLast() where here >= 0 {
      let next = searching(here, name)
      let code = errno
      close(here)
      here = next
      errno = code
    }
    guard here >= 0 else { throw failureBelowRoot(errno, path: path) }
    let opened = opening(file, in: here, O_NOFOLLOW)
    let code = errno
    close(here)
    guard opened >= 0 else { throw failureBelowRoot(code, path: path) }
    return opened
  }

  private static func opening(_ name: [CChar], in directory: CInt = AT_FDCWD, _ flags: CInt = 0) -> CInt {
    while true {
      let opened = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags)
      if opened >= 0 || errno != EINTR { return opened }
    }
  }

  /// Opens a directory that need not be readable, as in a path.
  private static func searching(_ directory: CInt, _ name: [CChar]) -> CInt {
    #if os(Linux)
      // O_PATH, which Swift's module of glibc leaves out. It has this value on x86 and ARM.
      let search: CInt = 0o10_000_000
    #else
      let search = O_RDONLY
    #endif
    return openat(directory, name, search | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  private static func failureBelowRoot(_ code: CInt, path: String) -> DataLoadingError {
    // A link, where there was none when the path was resolved.
    [ELOOP, ENOTDIR].contains(code) ? .fileOutsideRoots(path: path) : failure(code, path: path)
  }

  /// The path without links and dots, with its final zero. Bytes, because file names need not be UTF-8.
  private static func real(_ path: [CChar]) -> [CChar]? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved) + 1))
  }

  private static let slash = CChar(UInt8(ascii: "/"))
}
