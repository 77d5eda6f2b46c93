package import Foundation

/// A regular file that is open for reading. It is closed when it is released.
package final class OpenFile: Sendable, CustomReflectable {
  package let byteCount: Int
  let version: FileVersion
  private let file: FileDescriptor
  private let path: String

  /// Opens the file without blocking, and accepts regular files only.
  ///
  /// - Parameter roots: One of these directories must contain the file, after following links. `nil` allows all files.
  package init(path bytes: [UInt8], roots: [String]?) throws(DataLoadingError) {
    let path = String(decoding: bytes, as: UTF8.self)
    let target = bytes.map { CChar(bitPattern: $0) } + [0]
    if let roots {
      file = try Self.open(target, within: roots, path: path)
    } else {
      do throws(SystemError) {
        file = try FileDescriptor.opened(path) { openat(AT_FDCWD, target, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
      } catch {
        throw Self.failure(error, path: path)
      }
    }
    let status: FileStatus
    do throws(SystemError) { status = try file.status() } catch { throw Self.failure(error, path: path) }
    guard status.isRegular else { throw .notARegularFile(path: path) }
    self.path = path
    byteCount = status.size
    version = FileVersion(path: target, status)
  }

  /// Swift's own mirror cannot copy a descriptor, and traps.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

  /// Reads at most `count` bytes; fewer only at the end of the file.
  package func read(at offset: Int, count: Int) throws(DataLoadingError) -> Data {
    do throws(SystemError) { return try file.read(count, at: offset) } catch {
      throw Self.failure(error, path: path)
    }
  }

  private static func failure(_ error: SystemError, path: String) -> DataLoadingError {
    switch error.code {
    case ENOENT, ENOTDIR: .fileNotFound(path: path)
    // The errors of opening a socket, or a device without a driver.
    case ENXIO, ENODEV: .notARegularFile(path: path)
    default: .fileUnreadable(path: path, code: error.code)
    }
  }

  private static func open(
    _ path: [CChar], within roots: [String], path text: String
  ) throws(DataLoadingError) -> FileDescriptor {
    guard let resolved = real(path) else {
      throw failure(SystemError(operation: "realpath", path: text, code: errno), path: text)
    }
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
  ) throws(DataLoadingError) -> FileDescriptor {
    // The root itself.
    guard let file = names.last else { throw .notARegularFile(path: path) }
    do throws(SystemError) {
      var here = try searching(AT_FDCWD, root, path)
      for name in names.dropLast() { here = try searching(here.number, name, path) }
      return try here.file(file)
    } catch {
      // A link, where there was none when the path was resolved.
      throw [ELOOP, ENOTDIR].contains(error.code) ? .fileOutsideRoots(path: path) : failure(error, path: path)
    }
  }

  /// Opens a directory that need not be readable, as in a path.
  private static func searching(
    _ directory: CInt, _ name: [CChar], _ path: String
  ) throws(SystemError) -> FileDescriptor {
    #if os(Linux)
      // O_PATH, which Swift's module of glibc leaves out. It has this value on x86 and ARM.
      let search: CInt = 0o10_000_000
    #else
      let search = O_RDONLY
    #endif
    return try FileDescriptor.opened(path) {
      openat(directory, name, search | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
  }

  /// The path without links and dots, with its final zero. Bytes, because file names need not be UTF-8.
  private static func real(_ path: [CChar]) -> [CChar]? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved) + 1))
  }

  private static let slash = CChar(UInt8(ascii: "/"))
}
