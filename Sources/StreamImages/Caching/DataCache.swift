internal import Dispatch
public import Foundation

/// Stores bytes as files in one directory, within a size limit.
///
/// - A file appears whole or not at all, even if the process is killed. Each file contains its full key and a checksum
///   of its content. A file that does not match is deleted and counts as a miss.
/// - A power failure can lose the entries of the last seconds, or tear them. A torn entry fails its checksum and is a
///   miss. If entries must survive a power failure, set `synchronizesWrites`.
/// - When the files exceed ``sizeLimit`` or ``countLimit``, the least recently used entries are deleted until 70 % of
///   the limit is left. This happens in the background. Storing continues meanwhile, and waits for it only if another
///   half of the limit was stored during the sweep, or the disk is full.
/// - An entry that was not used for ``lifetime`` is a miss, and is deleted.
/// - Only the owner can read the files. A directory that others may write to is not used.
/// - Several caches and several processes may share a directory.
/// - Only files that are named like those of a cache are deleted.
///
/// Call all members from any thread. File operations run on threads of the cache. Up to eight reads run at a time, and
/// do not wait for writes.
public final class DataCache: DataCaching {
  /// The directory "StreamImages" in the user's cache directory.
  ///
  /// If the environment names no cache directory, reads find nothing and storing throws
  /// ``DataCacheError/noCacheDirectory``.
  public static let shared = DataCache(
    Result { () throws(DataCacheError) in try path(named: "StreamImages") })

  /// The default size limit: 150 MiB.
  public static let defaultSizeLimit = 150 << 20

  private let folder: Result<DiskFolder, DataCacheError>
  private let limits: DiskLimits
  // Several at a time, so that a large entry does not delay small ones. Not more, because each holds all of its bytes
  // in memory.
  private let reading = DiskReadQueue(width: 8)
  private let looking = DispatchQueue(label: "DataCache.looking", attributes: .concurrent)
  private let writing = DispatchQueue(label: "DataCache.writing")

  /// Creates a cache in `$XDG_CACHE_HOME/name` or `~/.cache/name`. The directory is created when it is first needed.
  /// The properties of the cache describe the limits.
  ///
  /// Throws ``DataCacheError/badName(_:)`` and ``DataCacheError/noCacheDirectory``.
  public convenience init(
    name: String, sizeLimit: Int = DataCache.defaultSizeLimit, countLimit: Int = .max,
    lifetime: Duration? = nil, synchronizesWrites: Bool = false
  ) throws(DataCacheError) {
    let limits = DiskLimits(
      byteCount: sizeLimit, count: countLimit, lifetime: lifetime, synchronizesWrites: synchronizesWrites)
    self.init(.success(try Self.path(named: name)), limits)
  }

  /// Creates a cache in a directory of your choice. The directory is created when it is first needed. The properties of
  /// the cache describe the limits.
  public convenience init(
    directory: URL, sizeLimit: Int = DataCache.defaultSizeLimit, countLimit: Int = .max,
    lifetime: Duration? = nil, synchronizesWrites: Bool = false
  ) {
    let limits = DiskLimits(
      byteCount: sizeLimit, count: countLimit, lifetime: lifetime, synchronizesWrites: synchronizesWrites)
    self.init(.success(directory.path), limits)
  }

  package init(
    _ path: Result<String, DataCacheError>, _ limits: DiskLimits = DiskLimits(),
    now: @escaping @Sendable () -> Int = { wallClock() }
  ) {
    self.limits = limits
    folder = path.map { DiskFolder(path: $0, limits: limits, now: now) }
  }

  /// The directory of the cache, or `nil` if there is none; see ``shared``.
  public var directory: URL? {
    (try? folder.get()).map { URL(fileURLWithPath: $0.path, isDirectory: true) }
  }

  /// The total size of the files, in bytes, above which entries are deleted. A negative limit counts as 0.
  public var sizeLimit: Int { limits.byteCount }

  /// The number of files above which entries are deleted. A negative limit counts as 0.
  public var countLimit: Int { limits.count }

  /// How long an entry may go unused before it expires. `nil` means for ever. Measured by the wall clock, because it
  /// also counts the time in which no program runs.
  public var lifetime: Duration? { limits.lifetime }

  /// Whether ``store(_:for:)`` returns only when the entry is on the disk and survives a power failure.
  ///
  /// `false` by default: the system writes the entry within seconds. A power failure before that can lose the entry or
  /// tear it. A torn entry fails its checksum and is a miss. If `true`, each store calls `fsync` for the file and its
  /// directories, which can take milliseconds.
  public var synchronizesWrites: Bool { limits.synchronizesWrites }

  // MARK: Entries

  /// Returns the entry for `key`, or `nil`. Reading counts as use. A task that is cancelled while it waits receives
  /// `nil`.
  public func data(for key: DataCacheKey) async -> CachedData? {
    guard let folder = try? folder.get() else { return nil }
    return await reading.read(key, in: folder)
  }

  public func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    try await write { folder throws(DataCacheError) in try folder.write(data, key) }
  }

  private func write(
    _ work: @escaping @Sendable (DiskFolder) throws(DataCacheError) -> Void
  ) async throws(DataCacheError) {
    let folder = try folder.get()
    try await writing.perform { Result { () throws(DataCacheError) in try work(folder) } }.get()
  }

  /// Returns whether there is a file for `key`. The file may still turn out to be damaged.
  public func contains(_ key: DataCacheKey) async -> Bool {
    guard let folder = try? folder.get() else { return false }
    return await looking.perform { folder.contains(key) }
  }

  public func remove(_ key: DataCacheKey) async {
    guard let folder = try? folder.get() else { return }
    await writing.perform { folder.remove(key) }
  }

  /// Deletes all entries, including those of other users of the directory. Other files are left alone.
  public func removeAll() async {
    guard let folder = try? folder.get() else { return }
    await writing.perform { folder.removeAll() }
  }

  // MARK: The whole

  /// Returns the number of entries and the total size of their files.
  ///
  /// - Complexity: O(n), where n is the number of files.
  public func totals() async -> (count: Int, byteCount: Int) {
    guard let folder = try? folder.get() else { return (0, 0) }
    return await looking.perform {
      let totals = folder.totals()
      return (totals.count, totals.byteCount)
    }
  }

  /// Deletes expired entries, files left by crashes, and the least recently used entries if a limit is exceeded. Also runs
  /// automatically.
  ///
  /// Does nothing while another cache or process sweeps the directory. Takes about 32 bytes of memory for each entry.
  public func sweep() async {
    guard let folder = try? folder.get() else { return }
    await folder.sweeping.perform { folder.sweep() }
  }

  /// Waits for the sweeps that storing has started.
  package func settle() async {
    guard let folder = try? folder.get() else { return }
    await folder.sweeping.perform {}
  }

  /// Creates the directory if it is missing. Throws if that fails, or if the directory must not be used.
  public func prepare() async throws(DataCacheError) {
    try await write { folder throws(DataCacheError) in try folder.prepare() }
  }

  package var readingCounts: (waiting: Int, running: Int) { reading.counts }

  private static func path(named name: String) throws(DataCacheError) -> String {
    let allowed = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "._-".utf8.contains($0) }
    guard allowed, (1...128).contains(name.utf8.count), !name.hasPrefix(".") else { throw .badName(name) }
    guard let caches = UserDirectory().caches else { throw .noCacheDirectory }
    return "\(caches)/\(name)"
  }
}
