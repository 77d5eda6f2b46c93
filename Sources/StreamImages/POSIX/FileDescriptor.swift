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
package import Foundation

/// An open file or directory. It is closed when this value is destroyed.
package struct FileDescriptor: ~Copyable, Sendable {
  package let number: Int32

  private init(_ number: Int32) { self.number = number }

  deinit { _ = close(number) }

  // MARK: Opening

  package static func directory(_ path: String) throws(SystemError) -> FileDescriptor {
    try opened(path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
  }

  /// Does not follow links: others may have put something into the cache directory.
  package borrowing func directory(_ name: String) throws(SystemError) -> FileDescriptor {
    try Self.opened(name) { openat(number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
  }

  package static func file(_ path: String) throws(SystemError) -> FileDescriptor {
    try opened(path) { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
  }

  /// Does not block, even if `name` is a pipe or a device.
  package borrowing func file(_ name: UnsafePointer<CChar>) throws(SystemError) -> FileDescriptor {
    try Self.opened(String(cString: name)) {
      openat(number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
  }

  /// Fails if there is a file of that name.
  package borrowing func newFile(_ name: String, mode: UInt32 = 0o600) throws(SystemError) -> FileDescriptor {
    try Self.opened(name, by: "create") {
      openat(number, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(mode))
    }
  }

  /// Opens a file that exists only to be locked.
  package borrowing func watch(_ name: String) throws(SystemError) -> FileDescriptor {
    try Self.opened(name) { openat(number, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600)) }
  }

  /// Opens a directory, and creates it if it is missing.
  ///
  /// - Parameter synchronizes: Whether a new directory is still there after a loss of power.
  package borrowing func makeDirectory(_ name: String, synchronizes: Bool = false) throws(SystemError)
    -> FileDescriptor
  {
    do { return try directory(name) } catch { guard error.code == ENOENT else { throw error } }
    do { try Self.check("mkdir", name) { mkdirat(number, name, 0o700) } } catch {
      // Another process may have created it meanwhile.
      guard error.code == EEXIST else { throw error }
    }
    if synchronizes { try synchronize() }
    return try self.directory(name)
  }

  /// Opens a directory, and creates it and its parents if they are missing. Only the owner may access them.
  package static func makeDirectories(_ path: String, synchronizes: Bool = false) throws(SystemError)
    -> FileDescriptor
  {
    do { return try directory(path) } catch { guard error.code == ENOENT else { throw error } }
    let parent = (path as NSString).deletingLastPathComponent
    if !parent.isEmpty { _ = try makeDirectories(parent, synchronizes: synchronizes) }
    do { try check("mkdir", path) { mkdir(path, 0o700) } } catch {
      guard error.code == EEXIST else { throw error }
    }
    if synchronizes { try directory(parent.isEmpty ? "." : parent).synchronize() }
    return try directory(path)
  }

  // MARK: Reading and writing

  package borrowing func status() throws(SystemError) -> FileStatus {
    var status = stat()
    try Self.check("fstat", nil) { fstat(number, &status) }
    return FileStatus(status)
  }

  /// - Returns: Fewer than `count` bytes at the end of the file.
  package borrowing func read(_ count: Int, at offset: Int = 0) throws(SystemError) -> Data {
    guard count > 0 else { return Data() }
    // Not initialised with zeroes first.
    guard let bytes = malloc(count) else { throw SystemError(operation: "malloc", path: nil, code: ENOMEM) }
    let result = Self.repeated("read", count) { done in
      pread(number, bytes + done, count - done, off_t(offset + done))
    }
    let data = Data(bytesNoCopy: bytes, count: (try? result.get()) ?? 0, deallocator: .free)
    _ = try result.get()
    return data
  }

  /// Writes both parts. Call it on a thread of Dispatch: those block SIGXFSZ, so a file that exceeds the limit of the process is an
  /// error. Elsewhere it would end the process.
  package borrowing func writeWhole(_ head: Data, _ data: Data) throws(SystemError) {
    let result = head.withUnsafeBytes { head in
      data.withUnsafeBytes { data in
        Self.repeated("write", head.count + data.count) { done in
          let (first, second) = (head.dropFirst(done), data.dropFirst(max(0, done - head.count)))
          var parts = [first, second].map { part in
            let part = UnsafeRawBufferPointer(rebasing: part)
            return iovec(iov_base: UnsafeMutableRawPointer(mutating: part.baseAddress), iov_len: part.count)
          }
          return writev(number, &parts, 2)
        }
      }
    }
    _ = try result.get()
  }

  package borrowing func synchronize() throws(SystemError) {
    try Self.check("fsync", nil) { fsync(number) }
  }

  /// Sets the modification time, in nanoseconds since 1970.
  package borrowing func touch(_ nanoseconds: Int) throws(SystemError) {
    let time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    try Self.check("futimens", nil) { futimens(number, [time, time]) }
  }

  /// The same for a file in this directory, without following a link.
  package borrowing func touch(_ name: UnsafePointer<CChar>, _ nanoseconds: Int) throws(SystemError) {
    let time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    try Self.check("utimensat", String(cString: name)) {
      utimensat(number, name, [time, time], Int32(AT_SYMLINK_NOFOLLOW))
    }
  }

  /// - Returns: False if another descriptor holds the lock. Closing the descriptor releases it.
  package borrowing func lock() -> Bool { flock(number, LOCK_EX | LOCK_NB) == 0 }

  // MARK: Directories

  /// Renames a file, replacing an existing one atomically.
  package borrowing func rename(_ name: String, to target: borrowing FileDescriptor, as newName: String)
    throws(SystemError)
  {
    try Self.check("rename", newName) { renameat(number, name, target.number, newName) }
  }

  /// Gives a file a second name. Fails if there is a file of that name.
  package borrowing func link(_ name: String, as newName: String) throws(SystemError) {
    try Self.check("link", newName) { linkat(number, name, number, newName, 0) }
  }

  /// Renames a file. Fails if there is a file of the new name, even if it was created a moment ago.
  ///
  /// - Parameter links: Whether to try a link first. vfat and exfat have none: there, an empty file reserves the name for a moment.
  package borrowing func rename(_ name: String, toFree newName: String, links: Bool = true)
    throws(SystemError)
  {
    guard links else {
      _ = try newFile(newName)
      do throws(SystemError) { return try rename(name, to: self, as: newName) } catch {
        try? remove(newName)
        throw error
      }
    }
    do throws(SystemError) { try link(name, as: newName) } catch {
      guard error.isUnsupported else { throw error }
      return try rename(name, toFree: newName, links: false)
    }
    try remove(name)
  }

  package borrowing func remove(_ name: UnsafePointer<CChar>) throws(SystemError) {
    try Self.check("unlink", String(cString: name)) { unlinkat(number, name, 0) }
  }

  /// Fails if the directory is not empty.
  package borrowing func removeDirectory(_ name: String) throws(SystemError) {
    try Self.check("rmdir", name) { unlinkat(number, name, Int32(AT_REMOVEDIR)) }
  }

  package static func status(ofPath path: String, followsLink: Bool = false) throws(SystemError) -> FileStatus
  {
    var status = stat()
    try check("stat", path) { followsLink ? stat(path, &status) : lstat(path, &status) }
    return FileStatus(status)
  }

  package borrowing func status(of name: UnsafePointer<CChar>) throws(SystemError) -> FileStatus {
    var status = stat()
    try Self.check("fstatat", String(cString: name)) {
      fstatat(number, name, &status, Int32(AT_SYMLINK_NOFOLLOW))
    }
    return FileStatus(status)
  }

  /// Returns all names, in no particular order, without "." and "..".
  package borrowing func names() throws(SystemError) -> [String] {
    var reader = try reader()
    var names: [String] = []
    while let name = reader.next() {
      names.append(String(decoding: UnsafeRawBufferPointer(name), as: UTF8.self))
    }
    return names
  }

  package borrowing func reader() throws(SystemError) -> DirectoryReader {
    try DirectoryReader(Self.check("open", ".") { openat(number, ".", O_RDONLY | O_CLOEXEC) })
  }

  // MARK: Errors

  static func opened(
    _ path: @autoclosure () -> String, by operation: String = "open", _ call: () -> Int32
  ) throws(SystemError) -> FileDescriptor {
    FileDescriptor(try check(operation, path(), call))
  }

  @discardableResult
  private static func check(
    _ operation: String, _ path: @autoclosure () -> String?, _ call: () -> Int32
  ) throws(SystemError) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw SystemError(operation: operation, path: path(), code: code) }
    }
  }

  /// Repeats the call until `count` bytes are done, or there are no more.
  private static func repeated(
    _ operation: String, _ count: Int, _ call: (_ done: Int) -> Int
  ) -> Result<Int, SystemError> {
    var done = 0
    while done < count {
      let result = call(done)
      if result == 0 { break }
      if result > 0 {
        done += result
      } else if errno != EINTR {
        return .failure(SystemError(operation: operation, path: nil, code: errno))
      }
    }
    return .success(done)
  }
}

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
