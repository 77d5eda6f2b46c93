/// An entry as it lies on the disk. Recognised by its name; nothing else is ours.
struct DiskFile {
  let shelf: String
  let name: String
  let size: Int
  /// When it was read or written last: its modification time, which we set ourselves, as many systems do not keep
  /// the time of access.
  let used: Int

  static func all(in home: borrowing Descriptor) -> [DiskFile] {
    var files: [DiskFile] = []
    for shelf in (try? home.names()) ?? [] where isShelf(shelf) {
      do throws(SystemError) {
        let directory = try home.directory(shelf)
        for name in try directory.names() where isEntry(name, on: shelf) {
          guard let status = try? directory.status(of: name), status.isRegular else { continue }
          files.append(DiskFile(shelf: shelf, name: name, size: status.size, used: status.modified))
        }
      } catch {
        // Deleted meanwhile.
        continue
      }
    }
    return files
  }

  @discardableResult
  func delete(from home: borrowing Descriptor) -> Bool {
    do throws(SystemError) {
      try home.directory(shelf).remove(name)
      return true
    } catch {
      return error.isMissing
    }
  }

  /// Deletes unfinished files that nobody is writing: a writer holds a lock as long as it lives.
  static func deleteDrafts(in home: borrowing Descriptor) {
    do throws(SystemError) {
      let drafts = try home.directory("new")
      for name in try drafts.names() where name.hasSuffix(".tmp") && !name.hasPrefix(".") {
        guard let file = try? drafts.file(name), (try? file.status().isRegular) == true, file.lock() else {
          continue
        }
        try? drafts.remove(name)
      }
    } catch {
      // There are none.
    }
  }

  static func isShelf(_ name: String) -> Bool { name.utf8.count == 2 && name.utf8.allSatisfy(isDigit) }

  static func isEntry(_ name: String, on shelf: String) -> Bool {
    name.utf8.count == 68 && name.hasSuffix(".bin") && name.hasPrefix(shelf)
      && name.utf8.prefix(64).allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}

extension DataCacheKey {
  /// Two digits, so that no directory gets long.
  var shelf: String { String(name.prefix(2)) }

  var fileName: String { name + ".bin" }
}
