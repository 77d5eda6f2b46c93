internal import Foundation
internal import Streams

/// The files of a ``DataCache``. Everything here waits for the disk.
///
/// ```
/// v1/ab/abcd….bin     entries, by the name of their key
/// v1/new/…            files being written, locked by those who write them
/// v1/sweeping         locked by the one who deletes old entries
/// ```
/// Directories are opened anew for each operation: they may be deleted at any time, by anybody.
final class DiskFolder: Sendable {
  let path: String
  private let limits: DiskLimits
  private let now: @Sendable () -> Int
  private let usage = Guarded(DiskUsage())

  init(path: String, limits: DiskLimits, now: @escaping @Sendable () -> Int) {
    self.path = path
    self.limits = limits
    self.now = now
  }

  // MARK: Entries

  /// What cannot be trusted is deleted.
  func read(_ key: DataCacheKey) -> CachedData? {
    do throws(SystemError) {
      let shelf = try trusted(Descriptor.directory(path)).directory("v1").directory(key.shelf)
      let file = try shelf.file(key.fileName)
      let status = try file.status()
      guard status.isRegular, status.links == 1, status.isOurs, !limits.isOver(status.modified, now()),
        let record = DiskRecord(head: try file.read(DiskRecord.headSize), fileSize: status.size)
      else {
        try discard(key, on: shelf, status)
        return nil
      }
      let rest = try file.read(record.keySize + record.attributesSize, at: DiskRecord.headSize)
      let data = try file.read(record.dataSize, at: DiskRecord.headSize + rest.count)
      guard let entry = record.entry(rest, data, for: key) else {
        try discard(key, on: shelf, status)
        return nil
      }
      // On a disk that is read-only, use leaves no trace.
      try? file.touch(usage.withLock { $0.tick(now()) })
      return entry
    } catch {
      // Whatever the reason is, the entry cannot be had; if it matters, storing will say so.
      return nil
    }
  }

  func contains(_ key: DataCacheKey) -> Bool {
    do throws(SystemError) {
      let shelf = try Descriptor.directory(path).directory("v1").directory(key.shelf)
      let status = try shelf.status(of: key.fileName)
      return status.isRegular && !limits.isOver(status.modified, now())
    } catch {
      return false
    }
  }

  func write(_ entry: CachedData, _ key: DataCacheKey) throws(DataCacheError) {
    let head = DiskRecord.head(of: entry, key)
    let size = head.count + entry.data.count
    // Room for it would have to be made by deleting nearly everything else.
    guard size <= limits.entryByteCount else {
      throw .entryTooLarge(byteCount: size, limit: limits.entryByteCount)
    }
    do throws(SystemError) {
      do throws(SystemError) { try put(head, entry.data, key) } catch {
        // If a directory was deleted meanwhile, the next try is fine.
        guard error.isFull || error.isMissing else { throw error }
        if error.isFull { sweep(makingRoom: true) }
        try put(head, entry.data, key)
      }
    } catch {
      throw DataCacheError(error, path)
    }
    if usage.withLock({ $0.mustLook(afterAdding: size, limits) }) { sweep() }
  }

  func remove(_ key: DataCacheKey) {
    do throws(SystemError) {
      try trusted(Descriptor.directory(path)).directory("v1").directory(key.shelf).remove(key.fileName)
    } catch {
      // What is not there, or cannot be reached, need not be removed.
    }
  }

  func prepare() throws(DataCacheError) {
    do throws(SystemError) { _ = try home() } catch {
      throw DataCacheError(error, path)
    }
  }

  // MARK: Writing

  private func put(_ head: Data, _ data: Data, _ key: DataCacheKey) throws(SystemError) {
    let home = try home()
    let draftFolder = try home.makeDirectory("new")
    let shelf = try home.makeDirectory(key.shelf)
    let draft = try newDraft(in: draftFolder)
    do throws(SystemError) {
      try draft.file.writeWhole(head, data)
      try draft.file.touch(usage.withLock { $0.tick(now()) })
      try draft.file.synchronize()
      try draftFolder.rename(draft.name, to: shelf, as: key.fileName)
    } catch {
      try? draftFolder.remove(draft.name)
      throw error
    }
  }

  /// A file that sweepers leave alone, as they see that somebody is at work.
  private func newDraft(in folder: borrowing Descriptor) throws(SystemError) -> Draft {
    while true {
      let name = "\(processIdentifier())-\(UInt64.random(in: 0 ... .max)).tmp"
      let file = try folder.newFile(name)
      // One who sweeps just now may have been faster, and is about to delete it, or has.
      if file.lock(), try file.status().links == 1 { return Draft(name: name, file: file) }
    }
  }

  private func home() throws(SystemError) -> Descriptor {
    try trusted(Descriptor.makeDirectories(path)).makeDirectory("v1")
  }

  /// Who may change the directory could give us pictures of their choice.
  private func trusted(_ directory: consuming Descriptor) throws(SystemError) -> Descriptor {
    guard try directory.status().isOurs else { throw .distrust(path) }
    return directory
  }

  private func discard(
    _ key: DataCacheKey, on shelf: borrowing Descriptor, _ status: FileStatus
  ) throws(SystemError) {
    // A directory in the place of a file is not our making.
    if !status.isDirectory { try shelf.remove(key.fileName) }
  }
}

// MARK: The whole

extension DiskFolder {
  func totals() -> (count: Int, byteCount: Int) {
    guard let home = try? trusted(Descriptor.directory(path)).directory("v1") else { return (0, 0) }
    let files = DiskFile.all(in: home)
    return (files.count, files.reduce(0) { $0 + $1.size })
  }

  func removeAll() {
    do throws(SystemError) {
      let home = try trusted(Descriptor.directory(path)).directory("v1")
      for file in DiskFile.all(in: home) { file.delete(from: home) }
      DiskFile.deleteDrafts(in: home)
      for name in try home.names() where DiskFile.isShelf(name) { try? home.removeDirectory(name) }
      usage.withLock { $0.looked(0, count: 0) }
    } catch {
      // There is nothing of ours.
    }
  }

  /// Deletes what crashes have left, and the entries used least lately if there are too many.
  func sweep() { sweep(makingRoom: false) }

  /// - Parameter isFull: Whether the disk has less room than we may take.
  private func sweep(makingRoom isFull: Bool) {
    do throws(SystemError) {
      let home = try trusted(Descriptor.directory(path)).directory("v1")
      var left = DiskTally(DiskFile.all(in: home))
      defer { usage.withLock { $0.looked(left.byteCount, count: left.count) } }
      // One at a time: two who delete until enough is gone delete twice as much.
      let watch = try home.watch("sweeping")
      guard watch.lock() else { return }
      DiskFile.deleteDrafts(in: home)
      let now = now()
      left.delete(from: home) { limits.isOver($0.used, now) }
      guard isFull || left.exceeds(limits) else { return }
      left.sortByUse(now)
      let goal = left.goal(limits, isFull: isFull)
      left.delete(from: home) { _, left in left.byteCount > goal.byteCount || left.count > goal.count }
    } catch {
      // Not there, or not ours: nothing to sweep.
    }
  }
}

/// A file that is being written, locked as long as this lives.
private struct Draft: ~Copyable {
  let name: String
  let file: Descriptor
}
