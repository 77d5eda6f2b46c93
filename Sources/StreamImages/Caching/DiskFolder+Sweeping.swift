internal import Dispatch

extension DiskFolder {
  /// - Complexity: Looks at each file, one after the other.
  func totals() -> DiskSize {
    var total = DiskSize()
    guard let home = try? home() else { return total }
    for name in DiskShelf.names(in: home) {
      guard var shelf = try? DiskShelf(name, in: home) else { continue }
      while let file = shelf.next() { total += DiskSize(byteCount: file.size, count: 1) }
    }
    return total
  }

  func removeAll() {
    guard let home = try? home() else { return }
    for name in DiskShelf.names(in: home) {
      var hasDeleted = true
      while hasDeleted {
        hasDeleted = false
        guard var shelf = try? DiskShelf(name, in: home) else { break }
        while let file = shelf.next() { if shelf.delete(file) { hasDeleted = true } }
        // Some file systems pass over files if others are deleted meanwhile: then the shelf is not empty.
        do throws(SystemError) { try home.removeDirectory(name) } catch { continue }
        break
      }
    }
    deleteDrafts(in: home)
    usage.withLock { $0.emptied() }
  }

  /// Deletes what crashes have left, and the entries used least lately if there are too many.
  ///
  /// On the sweeping queue only, so that storing goes on meanwhile.
  ///
  /// - Parameter isFull: Whether the disk has less room than we may take.
  func sweep(makingRoom isFull: Bool = false) {
    guard let home = try? home(), let watch = try? home.watch("sweeping") else {
      // Not there, or not ours, or read-only: nothing to sweep.
      return usage.withLock { $0.cannotLook() }
    }
    // One at a time: two who delete until enough is gone delete twice as much.
    guard watch.lock() else { return usage.withLock { $0.leaveToOther(limits) } }
    deleteDrafts(in: home)
    var mustLook = true
    while mustLook {
      let number = usage.withLock { $0.beginLook() }
      let left = deleteOldest(in: home, isFull: isFull)
      mustLook = usage.withLock { $0.endLook(number, left, limits) }
    }
  }

  /// - Returns: What is left.
  private func deleteOldest(in home: borrowing Descriptor, isFull: Bool) -> DiskSize {
    let now = now()
    let ages = ages(in: home, now)
    var left = ages.total
    guard var cut = ages.cut(limits.excess(of: left, isFull: isFull)) else { return left }
    while cut.isCoarse(of: ages.total), let finer = self.ages(in: home, now, within: cut).cut(cut.quota) {
      cut = finer
    }
    for name in DiskShelf.names(in: home) {
      guard var shelf = try? DiskShelf(name, in: home) else { continue }
      while let file = shelf.next() {
        guard cut.deletes(file.used), shelf.delete(file) else { continue }
        cut.deleted(file.used, file.size)
        left -= DiskSize(byteCount: file.size, count: 1)
      }
    }
    return left
  }

  /// Deletes what was not used for too long, and takes down when the rest was used.
  ///
  /// An entry from the future was used before the clock was put back. When that was, nobody can tell: from now on, it is
  /// now, so that the entry ages as the others do.
  private func ages(in home: borrowing Descriptor, _ now: Int, within cut: DiskCut? = nil) -> DiskAges {
    var ages = DiskAges()
    for name in DiskShelf.names(in: home) {
      guard var shelf = try? DiskShelf(name, in: home) else { continue }
      while let file = shelf.next() {
        if limits.isOver(file.used, now), shelf.delete(file) { continue }
        let isFuture = limits.isFuture(file.used, now)
        if isFuture { shelf.touch(file, now) }
        let used = isFuture ? now : file.used
        if cut?.holds(used) ?? true { ages.add(used, file.size) }
      }
    }
    return ages
  }

  /// Deletes unfinished files that nobody is writing: a writer holds a lock as long as it lives.
  private func deleteDrafts(in home: borrowing Descriptor) {
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
      // There are none.
    }
  }

  private func home() throws(SystemError) -> Descriptor {
    try trusted(Descriptor.directory(path)).directory("v1")
  }
}
