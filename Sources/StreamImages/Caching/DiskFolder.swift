internal import Dispatch
internal import Foundation
internal import Streams

/// The files of a ``DataCache``. All functions block on the disk.
///
/// ```
/// v1/ab/abcd….bin     entries, named by the hash of their key
/// v1/new/…            files being written, locked by their writers
/// v1/sweeping         locked by the process that deletes old entries
/// ```
/// The directory is opened for each operation, because it may be deleted at any time.
final class DiskFolder: Sendable {
  let path: String
  let limits: DiskLimits
  let now: @Sendable () -> Int
  let usage = Guarded(DiskUsage())
  /// Sweeps run here, so that storing does not wait for them.
  let sweeping = DispatchQueue(label: "StreamImages.DataCache.sweeping", qos: .utility)

  init(path: String, limits: DiskLimits, now: @escaping @Sendable () -> Int) {
    self.path = path
    self.limits = limits
    self.now = now
  }

  // MARK: Entries

  /// Returns an entry. One that is damaged, expired or not trusted is deleted.
  func read(_ key: DataCacheKey) -> CachedData? {
    let place = DiskPlace(key)
    do throws(SystemError) {
      // A miss costs one system call. Whether the directory is trusted matters only if there is a file.
      let file = try FileDescriptor.file("\(path)/\(place.path)")
      let status = try file.status()
      try checkDirectories(place)
      // An entry that was replaced after it was opened has no links any more, and is as good as before.
      guard status.isRegular, status.links <= 1, status.isOurs, !limits.isOver(status.modified, now()),
        let entry = try entry(in: file, of: status.size, for: key)
      else {
        // A directory in place of a file was not created by a cache, and is not removed.
        remove(key, ifStill: status)
        return nil
      }
      // Fails on a read-only disk, where use is not recorded.
      try? file.touch(usage.withLock { $0.tick(now()) })
      return entry
    } catch {
      // The entry cannot be read, for whatever reason. If the reason matters, storing reports it.
      return nil
    }
  }

  /// - Returns: `nil` if the file is not what was stored.
  private func entry(
    in file: borrowing FileDescriptor, of size: Int, for key: DataCacheKey
  ) throws(SystemError) -> CachedData? {
    // Attributes are short, so this usually reads everything but the data.
    let front = try file.read(min(size, DiskRecord.headSize + key.bytes.count + 512))
    guard let record = DiskRecord(head: front.prefix(DiskRecord.headSize), fileSize: size) else { return nil }
    let restSize = record.keySize + record.attributesSize
    let rest =
      DiskRecord.headSize + restSize <= front.count
      ? front.dropFirst(DiskRecord.headSize).prefix(restSize)
      : try file.read(restSize, at: DiskRecord.headSize)
    return record.entry(rest, try file.read(record.dataSize, at: DiskRecord.headSize + restSize), for: key)
  }

  func contains(_ key: DataCacheKey) -> Bool {
    guard let status = try? FileDescriptor.status(ofPath: "\(path)/\(DiskPlace(key).path)") else {
      return false
    }
    return status.isRegular && !limits.isOver(status.modified, now())
  }

  /// Writes an entry. Returns when reads find it. Starts a sweep if one is needed.
  func write(_ entry: CachedData, _ key: DataCacheKey) throws(DataCacheError) {
    let head = DiskRecord.head(of: entry, key)
    let size = head.count + entry.data.count
    // Storing it would evict nearly everything else.
    guard size <= limits.entryByteCount else {
      throw .entryTooLarge(byteCount: size, limit: limits.entryByteCount)
    }
    do throws(SystemError) { try put(head, entry.data, DiskPlace(key)) } catch {
      throw DataCacheError(error, path)
    }
    switch usage.withLock({ $0.add(size, limits) }) {
    case .nothing: break
    case .sweep: sweeping.async { self.sweep() }
    case .waiting: sweeping.sync {}
    }
  }

  /// - Parameter seen: The file to remove, which is open. One that has replaced it stays.
  func remove(_ key: DataCacheKey, ifStill seen: FileStatus? = nil) {
    let place = DiskPlace(key)
    do throws(SystemError) {
      let root = try root(checking: "v1", "v1/\(place.shard)")
      if let seen, try !root.status(of: place.path).isSameFile(as: seen) { return }
      try root.remove(place.path)
      usage.withLock { $0.hasChanged() }
    } catch {
      // An entry that is missing or not reachable need not be removed.
    }
  }

  func prepare() throws(DataCacheError) {
    do throws(SystemError) { _ = try trusted(FileDescriptor.makeDirectories(path)).makeDirectory("v1") } catch
    {
      throw DataCacheError(error, path)
    }
  }

  // MARK: Writing

  /// Creates directories only if they are missing, and makes room only if the disk is full.
  private func put(_ head: Data, _ data: Data, _ place: DiskPlace) throws(SystemError) {
    var (directoriesMade, hasMadeRoom, hasClearedPlace) = (0, false, false)
    while true {
      do throws(SystemError) { return try putOnce(head, data, place) } catch {
        if error.isMissing, directoriesMade < 2 {
          // Twice, because they may be deleted between creating and writing.
          directoriesMade += 1
          let home = try trusted(FileDescriptor.makeDirectories(path)).makeDirectory("v1")
          _ = try home.makeDirectory("new")
          _ = try home.makeDirectory(place.shard)
        } else if error.isFull, !hasMadeRoom, usage.withLock({ $0.mayMakeRoom(now()) }) {
          hasMadeRoom = true
          sweeping.sync { sweep(makingRoom: true) }
        } else if error.isDirectoryInTheWay, !hasClearedPlace {
          hasClearedPlace = true
          try clear(place)
        } else {
          if error.isFull, hasMadeRoom { usage.withLock { $0.remainsFull(now()) } }
          throw error
        }
      }
    }
  }

  private func clear(_ place: DiskPlace) throws(SystemError) {
    try setAside(place.path, in: root(checking: "v1", "v1/\(place.shard)"))
  }

  /// Moves a directory aside that lies in the place of a file. It is deleted only if it is empty, because a cache did not
  /// create it.
  func setAside(_ path: String, in directory: borrowing FileDescriptor) throws(SystemError) {
    guard try directory.status(of: path).isDirectory else { return }
    let aside = "\(path).\(UInt64.random(in: 0 ... .max))"
    try directory.rename(path, to: directory, as: aside)
    try? directory.removeDirectory(aside)
  }

  private func putOnce(_ head: Data, _ data: Data, _ place: DiskPlace) throws(SystemError) {
    let root = try root(checking: "v1", "v1/new", "v1/\(place.shard)")
    let draft = try newDraft(in: root)
    do throws(SystemError) {
      try draft.file.writeWhole(head, data)
      try draft.file.touch(usage.withLock { $0.tick(now()) })
      if limits.synchronizesWrites { try draft.file.synchronize() }
      try root.rename(draft.path, to: root, as: place.path)
    } catch {
      try? root.remove(draft.path)
      throw error
    }
    // The name and the directories created for it must reach the disk as well.
    if limits.synchronizesWrites {
      for directory in ["v1/\(place.shard)", "v1", "."] { try root.directory(directory).synchronize() }
    }
  }

  /// Creates a file that sweeps leave alone, because it is locked.
  private func newDraft(in root: borrowing FileDescriptor) throws(SystemError) -> Draft {
    while true {
      let path = "v1/new/\(processIdentifier())-\(UInt64.random(in: 0 ... .max)).tmp"
      let file = try root.newFile(path)
      // A concurrent sweep may have locked the file first, and is about to delete it or has done so.
      if file.lock(), try file.status().links == 1 { return Draft(path: path, file: file) }
    }
  }

  // MARK: Trust

  /// Opens the directory and checks that none of its subdirectories is a link. Only the owner could replace one
  /// afterwards.
  private func root(checking directories: String...) throws(SystemError) -> FileDescriptor {
    let root = try trusted(FileDescriptor.directory(path))
    for name in directories where try !root.status(of: name).isDirectory {
      throw SystemError(operation: "open", path: name, code: ENOTDIR)
    }
    return root
  }

  /// The same check for a file that is open: three system calls instead of five.
  private func checkDirectories(_ place: DiskPlace) throws(SystemError) {
    guard try FileDescriptor.status(ofPath: path, followsLink: true).isOurs,
      try FileDescriptor.status(ofPath: "\(path)/v1").isDirectory,
      try FileDescriptor.status(ofPath: "\(path)/v1/\(place.shard)").isDirectory
    else { throw .distrust(path) }
  }

  /// Anyone who may change the directory could plant images.
  func trusted(_ directory: consuming FileDescriptor) throws(SystemError) -> FileDescriptor {
    guard try directory.status().isOurs else { throw .distrust(path) }
    return directory
  }
}

/// A file being written, locked while this value exists.
private struct Draft: ~Copyable {
  let path: String
  let file: FileDescriptor
}

/// The path of an entry in the directory of a cache.
struct DiskPlace {
  /// The first two digits of the name, so that no directory grows long.
  let shard: String
  let path: String

  init(_ key: DataCacheKey) {
    let name = key.name
    shard = String(name.prefix(2))
    path = "v1/\(shard)/\(name).bin"
  }
}
