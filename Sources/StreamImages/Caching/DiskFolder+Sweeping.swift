internal import Foundation

extension DiskFolder {
  /// - Complexity: O(n), where n is the number of files.
  func totals() -> DiskSize {
    var total = DiskSize()
    guard let home = try? home() else { return total }
    for name in DiskShard.names(in: home) {
      guard var shard = try? DiskShard(name, in: home) else { continue }
      while let file = shard.next() { total += DiskSize(byteCount: file.size, count: 1) }
    }
    return total
  }

  func removeAll() {
    guard let home = try? home() else { return }
    for name in DiskShard.names(in: home) {
      var hasDeleted = true
      while hasDeleted {
        hasDeleted = false
        guard var shard = try? DiskShard(name, in: home) else { break }
        while let file = shard.next() { if shard.delete(file) { hasDeleted = true } }
        // Some file systems skip files when others are deleted meanwhile. Then the shard is not empty yet.
        do throws(SystemError) { try home.removeDirectory(name) } catch { continue }
        break
      }
    }
    deleteDrafts(in: home)
    usage.withLock { $0.emptied() }
  }

  /// Deletes files left by crashes, expired entries, and the least recently used ones if there are too many.
  ///
  /// Runs on the sweeping queue only, so that storing continues meanwhile.
  ///
  /// - Parameter isFull: Whether the disk has less room than the limits allow.
  func sweep(makingRoom isFull: Bool = false) {
    guard let home = try? home(), let watch = try? watch(in: home) else {
      // The directory is missing, belongs to another user, or is read-only. There is nothing to sweep.
      return usage.withLock { $0.cannotLook() }
    }
    // One process at a time: two that delete until the excess is gone would delete twice as much.
    guard watch.lock() else { return usage.withLock { $0.leaveToOther(limits) } }
    deleteDrafts(in: home)
    var mustLook = true
    while mustLook {
      let number = usage.withLock { $0.beginLook() }
      let left = deleteOldest(in: home, isFull: isFull)
      mustLook = usage.withLock { $0.endLook(number, left, limits) }
    }
  }

  /// Deletes expired entries first.
  ///
  /// An entry with a time of use in the future was used before the clock was set back. Its real time of use is
  /// unknown, so it is set to now, and the entry ages like the others.
  ///
  /// - Returns: The size of the files that are left.
  private func deleteOldest(in home: borrowing FileDescriptor, isFull: Bool) -> DiskSize {
    let now = now()
    var (files, left) = ([DiskCut.File](), DiskSize())
    for name in DiskShard.names(in: home) {
      guard var shard = try? DiskShard(name, in: home) else { continue }
      while let file = shard.next() {
        if limits.isOver(file.used, now), shard.delete(file) { continue }
        let isFuture = limits.isFuture(file.used, now)
        if isFuture { shard.touch(file, now) }
        files.append((isFuture ? now : file.used, file.size))
        left += DiskSize(byteCount: file.size, count: 1)
      }
    }
    guard var cut = DiskCut(files, limits.excess(of: left, isFull: isFull)) else { return left }
    for name in DiskShard.names(in: home) {
      guard var shard = try? DiskShard(name, in: home) else { continue }
      while let file = shard.next() {
        guard cut.deletes(file.used), shard.delete(file) else { continue }
        cut.deleted(file.used, file.size)
        left -= DiskSize(byteCount: file.size, count: 1)
      }
    }
    return left
  }

  /// Deletes unfinished files that no process is writing. A writer holds a lock for as long as it runs.
  private func deleteDrafts(in home: borrowing FileDescriptor) {
    do throws(SystemError) {
      let drafts = try home.directory("new")
      var names = try drafts.reader()
      while let name = names.next() {
        guard name.first != 0x2E,
          String(decoding: UnsafeRawBufferPointer(name), as: UTF8.self).hasSuffix(".tmp"),
          let path = name.baseAddress, let file = try? drafts.file(path),
          (try? file.status().isRegular) == true, file.lock()
        else { continue }
        try? drafts.remove(path)
      }
    } catch {
      // There are no drafts.
    }
  }

  /// What the process that sweeps locks.
  private func watch(in home: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) { return try home.watch("sweeping") } catch {
      guard error.isDirectoryInTheWay else { throw error }
    }
    try setAside("sweeping", in: home)
    return try home.watch("sweeping")
  }

  private func home() throws(SystemError) -> FileDescriptor {
    try trusted(FileDescriptor.directory(path)).directory("v1")
  }
}

/// The file of an entry, recognised by its name.
struct DiskFile {
  /// Valid until the next file is read from the shard.
  let name: UnsafePointer<CChar>
  let size: Int
  /// The time of the last read or write: the modification time, which the cache sets itself, because many systems do
  /// not record access times.
  let used: Int
}

/// An open subdirectory of entries, read file by file.
struct DiskShard: ~Copyable {
  private let name: String
  private let directory: FileDescriptor
  private var reader: DirectoryReader

  init(_ name: String, in home: borrowing FileDescriptor) throws(SystemError) {
    let directory = try home.directory(name)
    let reader = try directory.reader()
    self.name = name
    self.directory = directory
    self.reader = reader
  }

  static func names(in home: borrowing FileDescriptor) -> [String] {
    ((try? home.names()) ?? []).filter { $0.utf8.count == 2 && $0.utf8.allSatisfy(isDigit) }
  }

  /// Returns the next entry, in no particular order.
  mutating func next() -> DiskFile? {
    while let name = reader.next() {
      guard isEntry(name), let status = try? directory.status(of: name.baseAddress!), status.isRegular else {
        continue
      }
      return DiskFile(name: name.baseAddress!, size: status.size, used: status.modified)
    }
    return nil
  }

  /// - Returns: Whether the file no longer exists.
  borrowing func delete(_ file: DiskFile) -> Bool {
    do throws(SystemError) {
      try directory.remove(file.name)
      return true
    } catch {
      return error.isMissing
    }
  }

  /// Sets the time of use of a file, if possible.
  borrowing func touch(_ file: DiskFile, _ nanoseconds: Int) { try? directory.touch(file.name, nanoseconds) }

  private func isEntry(_ name: UnsafeBufferPointer<CChar>) -> Bool {
    name.count == 68 && name.starts(with: self.name.utf8.lazy.map(CChar.init(bitPattern:)))
      && name.prefix(64).allSatisfy { Self.isDigit(UInt8(bitPattern: $0)) }
      && strcmp(name.baseAddress! + 64, ".bin") == 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte.isASCIIDigit || (0x61...0x66).contains(byte) }
}
