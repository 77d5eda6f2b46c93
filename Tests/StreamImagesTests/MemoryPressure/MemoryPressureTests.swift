import Dispatch
import Foundation
import StreamImages
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Memory pressure")
struct MemoryPressureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes what the kernel would say.
  private func write(_ path: String, _ text: String) throws {
    let file = folder.url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func writeStalls(some: Int, all: Int) throws {
    try write(
      "proc/pressure/memory",
      """
      some avg10=0.00 avg60=0.00 avg300=0.00 total=\(some)
      full avg10=0.00 avg60=0.00 avg300=0.00 total=\(all)

      """)
  }

  private var gauge: MemoryGauge { MemoryGauge(root: folder.url.path) }

  @Test("The memory limit is the lowest of all cgroups of the process")
  func limits() throws {
    #expect(gauge.limit == nil)
    try write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
    #expect(gauge.limit == nil)
    try write("sys/fs/cgroup/memory/memory.limit_in_bytes", "900000\n")
    #expect(gauge.limit == 900_000)
    try write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/a\n0::/outer/inner\n")
    try write("sys/fs/cgroup/outer/inner/memory.max", "max\n")
    try write("sys/fs/cgroup/outer/memory.max", "500000\n")
    #expect(gauge.limit == 500_000)
    try write("sys/fs/cgroup/outer/inner/memory.high", "400000\n")
    #expect(gauge.limit == 400_000)
    try write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "300000\n")
    #expect(gauge.limit == 300_000)
  }

  @Test("Reclaimable file cache does not count as used memory")
  func share() throws {
    try write("sys/fs/cgroup/memory.max", "1000\n")
    try write("sys/fs/cgroup/memory.current", "900\n")
    #expect(gauge.share == 0.9)

    try write("sys/fs/cgroup/memory.stat", "anon 1\ninactive_file 400\n")
    #expect(gauge.share == 0.5)

    try write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000\n")
    try write("sys/fs/cgroup/memory/memory.usage_in_bytes", "800\n")
    try write("sys/fs/cgroup/memory/memory.stat", "inactive_file 0\ntotal_inactive_file 200\n")
    #expect(gauge.share == 0.6)
  }

  @Test(
    "Malformed system files give no measurements",
    arguments: ["", "some", "some total=x", "nonsense\n\n\0", "some avg10=1 total=99999999999999999999"])
  func garbage(_ text: String) throws {
    try write("proc/pressure/memory", text)
    try write("proc/self/cgroup", text)
    try write("sys/fs/cgroup/memory.max", text)

    #expect(gauge.stalls == nil)
    #expect(gauge.limit == nil)
    #expect(gauge.share == nil)
  }

  @Test("Memory stalls are reported while they last, and their end once")
  func stalls() throws {
    let scheduler = DispatchQueue.test
    try writeStalls(some: 5_000_000, all: 0)
    let watch = MemoryMonitor(gauge, every: 2, on: scheduler.eraseToAnyScheduler())
    let heard = Shared<[MemoryPressure]>([])
    let following = watch.publisher.sink { pressure in heard.change { $0.append(pressure) } }

    scheduler.advance(by: .seconds(2))
    try writeStalls(some: 5_199_999, all: 0)
    scheduler.advance(by: .seconds(2))
    #expect(heard.value == [])

    try writeStalls(some: 5_400_000, all: 0)
    scheduler.advance(by: .seconds(2))
    try writeStalls(some: 6_000_000, all: 200_000)
    scheduler.advance(by: .seconds(6))

    #expect(heard.value == [.warning, .critical, .normal])
    following.cancel()
  }

  @Test("Memory pressure is reported when a container is nearly at its limit")
  func container() throws {
    let scheduler = DispatchQueue.test
    try write("sys/fs/cgroup/memory.max", "1000\n")
    try write("sys/fs/cgroup/memory.current", "800\n")
    let watch = MemoryMonitor(gauge, every: 2, on: scheduler.eraseToAnyScheduler())
    let heard = Shared<[MemoryPressure]>([])
    let following = watch.publisher.sink { pressure in heard.change { $0.append(pressure) } }

    scheduler.advance(by: .seconds(2))
    try write("sys/fs/cgroup/memory.current", "840\n")
    scheduler.advance(by: .seconds(2))
    try write("sys/fs/cgroup/memory.current", "950\n")
    scheduler.advance(by: .seconds(2))

    #expect(heard.value == [.warning, .critical])
    following.cancel()
  }

  @Test("Memory is not measured without subscribers")
  func idle() {
    let scheduler = DispatchQueue.test
    let watch = MemoryMonitor(gauge, every: 2, on: scheduler.eraseToAnyScheduler())
    #expect(!watch.isWatching)

    let (one, other) = (watch.publisher.sink { _ in }, watch.publisher.sink { _ in })
    one.cancel()
    #expect(watch.isWatching)
    #expect(scheduler.pending == 1)
    other.cancel()

    #expect(!watch.isWatching)
    #expect(scheduler.pending == 0)
  }

  @Test("Measurements continue on schedule when subscribers join or cancel")
  func joining() throws {
    let scheduler = DispatchQueue.test
    try writeStalls(some: 0, all: 0)
    let watch = MemoryMonitor(gauge, every: 2, on: scheduler.eraseToAnyScheduler())
    let heard = Shared<[MemoryPressure]>([])
    let following = watch.publisher.sink { pressure in heard.change { $0.append(pressure) } }

    scheduler.advance(by: .seconds(1))
    try writeStalls(some: 200_000, all: 0)
    let other = watch.publisher.sink { _ in }
    scheduler.advance(by: .seconds(1))
    #expect(heard.value == [.warning])

    scheduler.advance(by: .seconds(1))
    try writeStalls(some: 400_000, all: 0)
    other.cancel()
    scheduler.advance(by: .seconds(1))

    #expect(heard.value == [.warning, .warning])
    following.cancel()
  }

  @Test(
    "A cache evicts half of its images at a warning and all at critical pressure")
  func caches() throws {
    let pressure = PassthroughSubject<MemoryPressure, Never>()
    let cache = ImageCache(costLimit: 1_000)
    cache.follow(pressure)
    for name in 0..<8 {
      cache[ImageCacheKey("\(name)")] = DecodedImage(try Image(width: 10, height: 1, pixelFormat: .gray8))
    }

    pressure.send(.normal)
    #expect(cache.totalCount == 8)
    pressure.send(.warning)
    #expect(cache.totalCount == 4)
    #expect(cache[ImageCacheKey("7")] != nil)
    pressure.send(.critical)
    #expect(cache.totalCount == 0)
  }

  @Test(
    "`ImageCache` cancels a followed publisher when it follows another or is released"
  )
  func released() {
    let cancelled = Shared<[Int]>([])
    let pressures = (0..<2).map { _ in PassthroughSubject<MemoryPressure, Never>() }
    func publisher(_ index: Int) -> some Publisher<MemoryPressure, Never> {
      pressures[index].handleEvents(receiveCancel: { cancelled.change { $0.append(index) } })
    }
    weak var released: ImageCache?
    do {
      let cache = ImageCache(costLimit: 1_000)
      released = cache
      cache.follow(publisher(0))
      cache.follow(publisher(1))
      #expect(cancelled.value == [0])
    }

    #expect(released == nil)
    #expect(cancelled.value == [0, 1])
  }

  @Test("A warning evicts half of the images, even if one has most of the bytes")
  func largeImage() throws {
    let cache = ImageCache(costLimit: 10_000)
    for (name, width) in [500, 1, 1, 1, 1, 1, 1, 1, 1, 1].enumerated() {
      cache[ImageCacheKey("\(name)")] = DecodedImage(try Image(width: width, height: 1, pixelFormat: .gray8))
    }

    cache.handle(.warning)

    #expect(cache.totalCount == 5 && cache.totalCost == 5)
  }

  @Test("A warning leaves half of the bytes, even if the image that was used last has most of them")
  func lastLargeImage() throws {
    let cache = ImageCache(costLimit: 10_000)
    for (name, width) in [1, 1, 1, 1, 1, 1, 1, 1, 1, 500].enumerated() {
      cache[ImageCacheKey("\(name)")] = DecodedImage(try Image(width: width, height: 1, pixelFormat: .gray8))
    }

    cache.handle(.warning)

    #expect(cache.totalCost <= 509 / 2)
  }

  @Test(
    "A cache in the background keeps a tenth of each of its limits",
    arguments: [(1_000, 100, 10), (1_000, Int.max, 20), (100, 100, 2)])
  func background(costLimit: Int, countLimit: Int, kept: Int) throws {
    let cache = ImageCache(costLimit: costLimit, countLimit: countLimit)
    for name in 0..<50 {
      cache[ImageCacheKey("\(name)")] = DecodedImage(try Image(width: 5, height: 1, pixelFormat: .gray8))
    }

    cache.enterBackground()

    #expect(cache.totalCount == kept)
  }
}
