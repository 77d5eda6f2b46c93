internal import Foundation

/// An open file or directory, closed when it goes out of scope. The only place that calls the system for files.
struct Descriptor: ~Copyable {
  let number: Int32

  private init(_ number: Int32) { self.number = number }

  deinit { _ = close(number) }

  // MARK: Opening

  static func directory(_ path: String) throws(SystemError) -> Descriptor {
    try Descriptor(checked("open", path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
  }

  /// Links are not followed: what lies in a cache directory may have been put there by somebody else.
  borrowing func directory(_ name: String) throws(SystemError) -> Descriptor {
    let directory = number
    return try Descriptor(
      Self.checked("open", name) { openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) })
  }

  static func file(_ path: String) throws(SystemError) -> Descriptor {
    try Descriptor(checked("open", path) { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) })
  }

  /// Does not wait, whatever `name` is: a pipe has no reader, a device no end.
  borrowing func file(_ name: UnsafePointer<CChar>) throws(SystemError) -> Descriptor {
    let directory = number
    return try Descriptor(
      Self.checked("open", String(cString: name)) {
        openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      })
  }

  /// Fails if there is something of that name.
  borrowing func newFile(_ name: String, mode: UInt32 = 0o600) throws(SystemError) -> Descriptor {
    let directory = number
    return try Descriptor(
      Self.checked("create", name) {
        openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(mode))
      })
  }

  /// A file that is there for its lock only.
  borrowing func watch(_ name: String) throws(SystemError) -> Descriptor {
    let directory = number
    return try Descriptor(
      Self.checked("open", name) {
        openat(directory, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
      })
  }

  /// Makes the directory if it is not there.
  borrowing func makeDirectory(_ name: String) throws(SystemError) -> Descriptor {
    do { return try directory(name) } catch { guard error.code == ENOENT else { throw error } }
    let directory = number
    do { _ = try Self.checked("mkdir", name) { mkdirat(directory, name, 0o700) } } catch {
      // Another process may have been faster.
      guard error.code == EEXIST else { throw error }
    }
    return try self.directory(name)
  }

  /// Makes the directory and those above it, for their owner only.
  static func makeDirectories(_ path: String) throws(SystemError) -> Descriptor {
    do { return try directory(path) } catch { guard error.code == ENOENT else { throw error } }
    let parent = (path as NSString).deletingLastPathComponent
    if parent != path, !parent.isEmpty { _ = try makeDirectories(parent) }
    do { _ = try checked("mkdir", path) { mkdir(path, 0o700) } } catch {
      guard error.code == EEXIST else { throw error }
    }
    return try directory(path)
  }

  // MARK: Reading and writing

  borrowing func status() throws(SystemError) -> FileStatus {
    var status = stat()
    _ = try Self.checked("fstat", nil) { fstat(number, &status) }
    return FileStatus(status)
  }

  /// - Returns: Fewer than `count` bytes at the end of the file.
  borrowing func read(_ count: Int, at offset: Int = 0) throws(SystemError) -> Data {
    guard count > 0 else { return Data() }
    let descriptor = number
    // Not filled with zeroes before.
    guard let bytes = malloc(count) else { throw SystemError(operation: "malloc", path: nil, code: ENOMEM) }
    let result = Self.repeated("read", count) { done in
      pread(descriptor, bytes + done, count - done, off_t(offset + done))
    }
    let data = Data(bytesNoCopy: bytes, count: (try? result.get()) ?? 0, deallocator: .free)
    _ = try result.get()
    return data
  }

  borrowing func write(_ data: Data) throws(SystemError) {
    let descriptor = number
    let result = data.withUnsafeBytes { buffer in
      Self.repeated("write", buffer.count) { done in
        Foundation.write(descriptor, buffer.baseAddress! + done, buffer.count - done)
      }
    }
    _ = try result.get()
  }

  /// Writes both, one after the other. A file that would pass the limit of the process is an error, and does not end it.
  borrowing func writeWhole(_ head: Data, _ data: Data) throws(SystemError) {
    let signal = FileSizeSignal()
    defer { signal.allow() }
    let (descriptor, count) = (number, head.count + data.count)
    let result = head.withUnsafeBytes { head in
      data.withUnsafeBytes { data in
        Self.repeated("write", count) { done in
          let (first, second) = (head.dropFirst(done), data.dropFirst(max(0, done - head.count)))
          var parts = [first, second].map { part in
            let part = UnsafeRawBufferPointer(rebasing: part)
            return iovec(iov_base: UnsafeMutableRawPointer(mutating: part.baseAddress), iov_len: part.count)
          }
          return writev(descriptor, &parts, 2)
        }
      }
    }
    _ = try result.get()
  }

  borrowing func synchronize() throws(SystemError) {
    let descriptor = number
    _ = try Self.checked("fsync", nil) { fsync(descriptor) }
  }

  /// Marks the file as used `nanoseconds` after 1970.
  borrowing func touch(_ nanoseconds: Int) throws(SystemError) {
    let time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    let descriptor = number
    _ = try Self.checked("futimens", nil) { futimens(descriptor, [time, time]) }
  }

  /// The same for a file of this directory, without following a link.
  borrowing func touch(_ name: UnsafePointer<CChar>, _ nanoseconds: Int) throws(SystemError) {
    let time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    let directory = number
    _ = try Self.checked("utimensat", String(cString: name)) {
      utimensat(directory, name, [time, time], Int32(AT_SYMLINK_NOFOLLOW))
    }
  }

  /// - Returns: Whether nobody else holds the lock. It is given back when the descriptor is closed.
  borrowing func lock() -> Bool { flock(number, LOCK_EX | LOCK_NB) == 0 }

  // MARK: Directories

  /// Puts a file in the place of another at once, or where there is none.
  borrowing func rename(_ name: String, to target: borrowing Descriptor, as newName: String)
    throws(SystemError)
  {
    let (source, target) = (number, target.number)
    _ = try Self.checked("rename", newName) { renameat(source, name, target, newName) }
  }

  /// Gives a file a second name, unless that is taken.
  borrowing func link(_ name: String, as newName: String) throws(SystemError) {
    let directory = number
    _ = try Self.checked("link", newName) { linkat(directory, name, directory, newName, 0) }
  }

  borrowing func remove(_ name: UnsafePointer<CChar>) throws(SystemError) {
    let directory = number
    _ = try Self.checked("unlink", String(cString: name)) { unlinkat(directory, name, 0) }
  }

  /// Fails if there is anything in it.
  borrowing func removeDirectory(_ name: String) throws(SystemError) {
    let directory = number
    _ = try Self.checked("rmdir", name) { unlinkat(directory, name, Int32(AT_REMOVEDIR)) }
  }

  static func status(ofPath path: String, followsLink: Bool = false) throws(SystemError) -> FileStatus {
    var status = stat()
    _ = try checked("stat", path) { followsLink ? stat(path, &status) : lstat(path, &status) }
    return FileStatus(status)
  }

  borrowing func status(of name: UnsafePointer<CChar>) throws(SystemError) -> FileStatus {
    var status = stat()
    let directory = number
    _ = try Self.checked("fstatat", String(cString: name)) {
      fstatat(directory, name, &status, Int32(AT_SYMLINK_NOFOLLOW))
    }
    return FileStatus(status)
  }

  /// What is in the directory, in no order, without "." and "..".
  borrowing func names() throws(SystemError) -> [String] {
    var reader = try reader()
    var names: [String] = []
    while let name = reader.next() {
      names.append(String(decoding: UnsafeRawBufferPointer(name), as: UTF8.self))
    }
    return names
  }

  borrowing func reader() throws(SystemError) -> DirectoryReader {
    let directory = number
    return try DirectoryReader(
      Self.checked("open", ".") { openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
  }

  // MARK: Errors

  private static func checked(
    _ operation: String, _ path: @autoclosure () -> String?, _ call: () -> Int32
  ) throws(SystemError) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw SystemError(operation: operation, path: path(), code: code) }
    }
  }

  /// Calls until `count` bytes are done, or there are no more.
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
