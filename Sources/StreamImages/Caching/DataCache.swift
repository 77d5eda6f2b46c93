internal import Dispatch
public import Foundation

/// Keeps bytes in files of one directory, within a limit.
///
/// - A file appears whole or not at all, also if the process is killed in between. Each carries its full key and a
///   checksum of everything in it. A file that does not match is deleted, and counts as not there.
/// - A power failure can lose the entries of the last seconds, or tear them. A torn entry fails its checksum, so it
///   is a miss. If an entry must survive, set `synchronizesWrites`.
/// - When the files outgrow ``sizeLimit``, or become more than ``countLimit``, those not used for longest are deleted
///   until 70 % of it are left. That happens in the background, however long the program runs. Storing goes on
///   meanwhile, and waits only once another half of the limit was stored.
/// - What was not used for ``lifetime`` is not found, and deleted.
/// - Directory and files are readable by their owner only. A directory that others may write to is not used.
/// - Several caches, and several processes, may share a directory.
/// - Nothing but files of our own making is ever deleted.
///
/// All operations may be called from any thread, and work on threads of the cache. Reading waits neither for writing nor,
/// up to eight at a time, for other reads.
public final class DataCache: DataCaching {
  /// The directory "StreamImages" among the user's caches.
  ///
  /// If the environment names no directory for caches, reading finds nothing and storing throws
  /// ``DataCacheError/noCacheDirectory``.
  public static let shared = DataCache(
    Result { () throws(DataCacheError) in try path(named: "StreamImages") })

  /// The limit if none is given: 150 MiB.
  public static let defaultSizeLimit = 150 << 20

  private let folder: Result<DiskFolder, DataCacheError>
  private let limits: DiskLimits
  // Several at a time: a large entry must not hold up small ones. And no more, as each has all of its bytes in memory.
  private let reading = ReadingLine(width: 8)
  private let looking = DispatchQueue(label: "DataCache.looking", attributes: .concurrent)
  private let writing = DispatchQueue(label: "DataCache.writing")

  /// A cache in `$XDG_CACHE_HOME/name`, or `~/.cache/name`. Nothing is touched before it is needed.
  ///
  /// Throws ``DataCacheError/badName(_:)`` and ``DataCacheError/noCacheDirectory``.
  ///
  /// - Parameter synchronizesWrites: See ``synchronizesWrites``.
  public convenience init(
    name: String, sizeLimit: Int = DataCache.defaultSizeLimit, countLimit: Int = .max,
    lifetime: Duration? = nil, synchronizesWrites: Bool = false
  ) throws(DataCacheError) {
    let limits = DiskLimits(
      byteCount: sizeLimit, count: countLimit, lifetime: lifetime, synchronizesWrites: synchronizesWrites)
    self.init(.success(try Self.path(named: name)), limits)
  }

  /// A cache in a directory of your choice. It is made if it is not there, once it is needed.
  ///
  /// - Parameter synchronizesWrites: See ``synchronizesWrites``.
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

  /// `nil` if there is none; see ``shared``.
  public var directory: URL? {
    (try? folder.get()).map { URL(fileURLWithPath: $0.path, isDirectory: true) }
  }

  /// In bytes of files.
  public var sizeLimit: Int { limits.byteCount }

  /// In files.
  public var countLimit: Int { limits.count }

  /// For how long an entry may go without being read or written. For ever if `nil`. By the time of day, as it goes on
  /// while no program runs.
  public var lifetime: Duration? { limits.lifetime }

  /// Whether ``store(_:for:)`` returns only when the entry is on the disk, and so survives a power failure.
  ///
  /// `false` by default: the system writes the entry within seconds. A power failure before that can lose the entry or
  /// tear it. A torn entry fails its checksum and is a miss. If `true`, each store calls `fsync` for the file and its
  /// directories, which can take milliseconds.
  public var synchronizesWrites: Bool { limits.synchronizesWrites }

  // MARK: Entries

  /// Reading counts as use. A task that was cancelled while it waited finds nothing.
  public func data(for key: DataCacheKey) async -> CachedData? {
    guard let folder = try? folder.get() else { return nil }
    return await reading.read(key, in: folder)
  }

  public func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    let folder = try folder.get()
    let result = await writing.perform { () -> Result<Void, DataCacheError> in
      Result { () throws(DataCacheError) in try folder.write(data, key) }
    }
    try result.get()
  }

  /// Whether there is a file of that name. It may still turn out to be damaged.
  public func contains(_ key: DataCacheKey) async -> Bool {
    guard let folder = try? folder.get() else { return false }
    return await looking.perform { folder.contains(key) }
  }

  public func remove(_ key: DataCacheKey) async {
    guard let folder = try? folder.get() else { return }
    await writing.perform { folder.remove(key) }
  }

  /// Deletes all entries, of all who share the directory, and leaves alone what else is in it.
  public func removeAll() async {
    guard let folder = try? folder.get() else { return }
    await writing.perform { folder.removeAll() }
  }

  // MARK: The whole

  /// How many entries there are, and how many bytes their files have.
  ///
  /// - Complexity: Looks at each file.
  public func totals() async -> (count: Int, byteCount: Int) {
    guard let folder = try? folder.get() else { return (0, 0) }
    return await looking.perform {
      let totals = folder.totals()
      return (totals.count, totals.byteCount)
    }
  }

  /// Deletes old entries if there is too much, and what crashes have left. Happens by itself, too.
  ///
  /// Does nothing while another process sweeps the directory. Memory does not grow with the number of entries.
  public func sweep() async {
    guard let folder = try? folder.get() else { return }
    await folder.sweeping.perform { folder.sweep() }
  }

  /// Waits for the sweeps that storing has started.
  package func settle() async {
    guard let folder = try? folder.get() else { return }
    await folder.sweeping.perform {}
  }

  /// Throws why this cache cannot keep anything.
  public func prepare() async throws(DataCacheError) {
    let folder = try folder.get()
    let result = await writing.perform { () -> Result<Void, DataCacheError> in
      Result { () throws(DataCacheError) in try folder.prepare() }
    }
    try result.get()
  }

  package var readingCounts: (waiting: Int, running: Int) { reading.counts }

  private static func path(named name: String) throws(DataCacheError) -> String {
    let allowed = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard allowed, (1...128).contains(name.utf8.count), !name.hasPrefix(".") else { throw .badName(name) }
    guard let caches = UserDirectory().caches else { throw .noCacheDirectory }
    return "\(caches)/\(name)"
  }
}
