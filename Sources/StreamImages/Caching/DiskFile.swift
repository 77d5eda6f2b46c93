internal import Foundation

/// An entry as it lies on the disk. Recognised by its name; nothing else is ours.
struct DiskFile {
  /// Valid until the shelf is asked for its next file.
  let name: UnsafePointer<CChar>
  let size: Int
  /// When it was read or written last: its modification time, which we set ourselves, as many systems do not keep
  /// the time of access.
  let used: Int
}

/// One directory of entries, opened once, whose files are read as they are asked for.
struct DiskShelf: ~Copyable {
  private let name: String
  private let directory: Descriptor
  private var reader: DirectoryReader

  init(_ name: String, in home: borrowing Descriptor) throws(SystemError) {
    let directory = try home.directory(name)
    let reader = try directory.reader()
    self.name = name
    self.directory = directory
    self.reader = reader
  }

  static func names(in home: borrowing Descriptor) -> [String] {
    ((try? home.names()) ?? []).filter { $0.utf8.count == 2 && $0.utf8.allSatisfy(isDigit) }
  }

  /// The next entry, in no order.
  mutating func next() -> DiskFile? {
    while let name = reader.next() {
      guard isEntry(name), let status = try? directory.status(of: name.baseAddress!), status.isRegular else {
        continue
      }
      return DiskFile(name: name.baseAddress!, size: status.size, used: status.modified)
    }
    return nil
  }

  /// - Returns: Whether the file is not there any more.
  borrowing func delete(_ file: DiskFile) -> Bool {
    do throws(SystemError) {
      try directory.remove(file.name)
      return true
    } catch {
      return error.isMissing
    }
  }

  /// Makes a file one that was used at a time, if that is possible.
  borrowing func touch(_ file: DiskFile, _ nanoseconds: Int) { try? directory.touch(file.name, nanoseconds) }

  private func isEntry(_ name: UnsafeBufferPointer<CChar>) -> Bool {
    name.count == 68 && name.starts(with: self.name.utf8.lazy.map(CChar.init(bitPattern:)))
      && name.prefix(64).allSatisfy { Self.isDigit(UInt8(bitPattern: $0)) }
      && strcmp(name.baseAddress! + 64, ".bin") == 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}

/// Where an entry lies in the directory of a cache.
struct DiskPlace {
  /// Two digits, so that no directory gets long.
  let shelf: String
  let path: String

  init(_ key: DataCacheKey) {
    let name = key.name
    shelf = String(name.prefix(2))
    path = "v1/\(shelf)/\(name).bin"
  }
}
