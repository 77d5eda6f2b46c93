internal import Foundation

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

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
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
