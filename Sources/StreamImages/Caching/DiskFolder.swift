internal import Dispatch
internal import Foundation
internal import Streams

/// The files of a ``DataCache``. Everything here waits for the disk.
///
/// ```
/// v1/ab/abcd….bin     entries, by the name of their key
/// v1/new/…            files being written, locked by those who write them
/// v1/sweeping         locked by the one who deletes old entries
/// ```
/// The directory is opened anew for each operation: it may be deleted at any time, by anybody.
final class DiskFolder: Sendable {
  let path: String
  let limits: DiskLimits
  let now: @Sendable () -> Int
  let usage = Guarded(DiskUsage())
  /// Sweeps go on here, so that storing does not wait for them.
  let sweeping = DispatchQueue(label: "StreamImages.DataCache.sweeping", qos: .utility)

  init(path: String, limits: DiskLimits, now: @escaping @Sendable () -> Int) {
    self.path = path
    self.limits = limits
    self.now = now
  }

  // MARK: Entries

  /// What cannot be trusted is deleted.
  func read(_ key: DataCacheKey) -> CachedData? {
    let place = DiskPlace(key)
    do throws(SystemError) {
      // A miss is one call. Whether the directory can be trusted matters only for what is there.
      let file = try Descriptor.file("\(path)/\(place.path)")
      let status = try file.status()
      try checkDirectories(place)
      guard status.isRegular, status.links == 1, status.isOurs, !limits.isOver(status.modified, now()),
        let entry = try entry(in: file, of: status.size, for: key)
      else {
        // A directory in the place of a file is not our making.
        if !status.isDirectory { remove(key) }
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

  /// - Returns: `nil` if it is not what was stored.
  private func entry(
    in file: borrowing Descriptor, of size: Int, for key: DataCacheKey
  ) throws(SystemError) -> CachedData? {
    // Attributes are short: this is all but the data, as a rule.
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
    guard let status = try? Descriptor.status(ofPath: "\(path)/\(DiskPlace(key).path)") else { return false }
    return status.isRegular && !limits.isOver(status.modified, now())
  }

  /// Returns when the entry is found. If it makes a sweep necessary, that goes on by itself.
  func write(_ entry: CachedData, _ key: DataCacheKey) throws(DataCacheError) {
    let head = DiskRecord.head(of: entry, key)
    let size = head.count + entry.data.count
    // Room for it would have to be made by deleting nearly everything else.
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

  func remove(_ key: DataCacheKey) {
    let place = DiskPlace(key)
    do throws(SystemError) {
      try root(checking: "v1", "v1/\(place.shelf)").remove(place.path)
    } catch {
      // What is not there, or cannot be reached, need not be removed.
    }
  }

  func prepare() throws(DataCacheError) {
    do throws(SystemError) { _ = try trusted(Descriptor.makeDirectories(path)).makeDirectory("v1") } catch {
      throw DataCacheError(error, path)
    }
  }

  // MARK: Writing

  /// Makes directories only if they are missing, and room only if there is none.
  private func put(_ head: Data, _ data: Data, _ place: DiskPlace) throws(SystemError) {
    var (directoriesMade, hasMadeRoom) = (0, false)
    while true {
      do throws(SystemError) { return try putOnce(head, data, place) } catch {
        if error.isMissing, directoriesMade < 2 {
          // Twice: they may be deleted between the making and the writing.
          directoriesMade += 1
          let home = try trusted(Descriptor.makeDirectories(path)).makeDirectory("v1")
          _ = try home.makeDirectory("new")
          _ = try home.makeDirectory(place.shelf)
        } else if error.isFull, !hasMadeRoom {
          hasMadeRoom = true
          sweeping.sync { sweep(makingRoom: true) }
        } else {
          throw error
        }
      }
    }
  }

  private func putOnce(_ head: Data, _ data: Data, _ place: DiskPlace) throws(SystemError) {
    let root = try root(checking: "v1", "v1/new", "v1/\(place.shelf)")
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
    // The name, too, has to be on the disk, and the directories that were made for it.
    if limits.synchronizesWrites {
      for directory in ["v1/\(place.shelf)", "v1", "."] { try root.directory(directory).synchronize() }
    }
  }

  /// A file that sweepers leave alone, as they see that somebody is at work.
  private func newDraft(in root: borrowing Descriptor) throws(SystemError) -> Draft {
    while true {
      let path = "v1/new/\(processIdentifier())-\(UInt64.random(in: 0 ... .max)).tmp"
      let file = try root.newFile(path)
      // One who sweeps just now may have been faster, and is about to delete it, or has.
      if file.lock(), try file.status().links == 1 { return Draft(path: path, file: file) }
    }
  }

  // MARK: Trust

  /// The directory, in which links do not stand for directories of ours. Only the owner could put one there meanwhile.
  private func root(checking directories: String...) throws(SystemError) -> Descriptor {
    let root = try trusted(Descriptor.directory(path))
    for name in directories where try !root.status(of: name).isDirectory {
      throw SystemError(operation: "open", path: name, code: ENOTDIR)
    }
    return root
  }

  /// The same for a file that is open, and ours alone by its own status: three calls in the place of five.
  private func checkDirectories(_ place: DiskPlace) throws(SystemError) {
    guard try Descriptor.status(ofPath: path, followsLink: true).isOurs,
      try Descriptor.status(ofPath: "\(path)/v1").isDirectory,
      try Descriptor.status(ofPath: "\(path)/v1/\(place.shelf)").isDirectory
    else { throw .distrust(path) }
  }

  /// Who may change the directory could give us pictures of their choice.
  func trusted(_ directory: consuming Descriptor) throws(SystemError) -> Descriptor {
    guard try directory.status().isOurs else { throw .distrust(path) }
    return directory
  }
}

/// A file that is being written, locked as long as this lives.
private struct Draft: ~Copyable {
  let path: String
  let file: Descriptor
}
