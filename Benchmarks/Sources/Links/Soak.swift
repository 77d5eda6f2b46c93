import Foundation
import LoopbackServer
import StreamImages
import Synchronization

/// Loads for some minutes over links whose faults are drawn at random.
final class Soak: Sendable {
  private struct Counts {
    var right = 0, wrong = 0, cancelled = 0, inFlight = 0
    var failures: [String: Int] = [:]
    var longest = 0.0
  }

  private let server: Server
  private let relays: [(relay: NetworkRelay, scheme: String)]
  private let pipelines: [ImagePipeline]
  private let loaders: [CurlLoader]
  private let sizes = [2_000, 20_000, 100_000]
  private let bytes: Data
  private let counts = Mutex(Counts())

  init(_ server: Server) throws {
    self.server = server
    bytes = try Data(contentsOf: server.files.appending(path: "large"), options: .alwaysMapped).prefix(
      100_000)
    relays = [
      (try NetworkRelay(to: server.ports.plain), "http"),
      (try NetworkRelay(to: server.ports.secure), "https"),
    ]
    loaders = [true, false].map { usesHTTP2 in
      var configuration = CurlLoader.Configuration()
      (configuration.proxy, configuration.usesHTTP2) = (.none, usesHTTP2)
      configuration.certificateAuthorities = server.authorities
      return CurlLoader(configuration)
    }
    pipelines = loaders.map { loader in
      ImagePipeline {
        ($0.dataLoader, $0.dataCache, $0.imageCache) = (loader, nil, nil)
        ($0.loadLimits.firstByteTimeout, $0.loadLimits.idleTimeout) = (.seconds(5), .seconds(5))
        ($0.loadLimits.connectTimeout, $0.loadLimits.totalTimeout) = (.seconds(5), .seconds(20))
      }
    }
    for size in sizes { try bytes.prefix(size).write(to: server.files.appending(path: "soak-\(size)")) }
  }

  /// Returns whether everything was right.
  func run(minutes: Double) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(minutes * 60)
    var memory: [Int] = []
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<48 { group.addTask { try await self.work(number, until: end) } }
      group.addTask { try await self.spoil(until: end) }
      while .now < end {
        try await Task.sleep(for: .seconds(min(30, minutes * 6)))
        memory.append(Self.residentKilobytes)
        print(summary(memory.last!))
      }
      // Each load ends by its own limits: four times the total one, in each of four attempts to connect.
      for try await _ in group {}
    }
    for (relay, _) in relays { (relay.link, relay.isSilent) = (Link(), false) }
    let before = counts.withLock { $0.failures.values.reduce(0, +) }
    for number in 0..<100 { await load(number) }
    let after = counts.withLock { $0.failures.values.reduce(0, +) }
    let (wrong, inFlight) = counts.withLock { ($0.wrong, $0.inFlight) }
    let growth = Double(memory.last!) / Double(memory[memory.count / 5])
    print("\(summary(memory.last!)), \(rounded(growth)) times as much as after a fifth of the time")
    print(
      "links: soak of \(minutes) minutes, \(wrong) wrong, \(inFlight) hanging, \(after - before) of 100 failed afterwards"
    )
    for loader in loaders { loader.invalidate() }
    for (relay, _) in relays { relay.stop() }
    return wrong == 0 && inFlight == 0 && after == before
  }

  private func work(_ number: Int, until end: ContinuousClock.Instant) async throws {
    while .now < end {
      let load = Task { await self.load(number) }
      guard Int.random(in: 0..<10) == 0 else {
        await load.value
        continue
      }
      try await Task.sleep(for: .milliseconds(.random(in: 0...500)))
      load.cancel()
      await load.value
    }
  }

  private func load(_ number: Int) async {
    let size = sizes.randomElement()!
    let (relay, scheme) = relays.randomElement()!
    let pipeline = pipelines.randomElement()!
    let url = relay.url("/soak-\(size)?\(UInt64.random(in: 0...(.max)))", scheme: scheme)
    counts.withLock { $0.inFlight += 1 }
    let start = ContinuousClock.now
    let result: Result<Data, any Error>
    do { result = .success(try await pipeline.data(for: ImageRequest(url: url)).data) } catch {
      result = .failure(error)
    }
    counts.withLock { counts in
      counts.inFlight -= 1
      counts.longest = max(counts.longest, start.duration(to: .now) / .seconds(1))
      switch result {
      case .success(let data):
        if data == bytes.prefix(size) { counts.right += 1 } else { counts.wrong += 1 }
      case .failure where Task.isCancelled: counts.cancelled += 1
      case .failure(let error):
        counts.failures[(error as? ImagePipeline.Error)?.code ?? "\(error)", default: 0] += 1
      }
    }
  }

  /// One fault after the other.
  private func spoil(until end: ContinuousClock.Instant) async throws {
    while .now < end {
      let relay = relays.randomElement()!.relay
      switch Int.random(in: 0..<10) {
      case 0: await relay.fallSilent(for: .milliseconds(.random(in: 100...8_000)), after: 1)
      case 1: relay.forgetConnections()
      case 2: relay.resetConnections()
      case 3: relay.resetNext(.random(in: 1...5))
      default:
        relay.link = Link(
          kilobitsPerSecond: [256, 2_000, 10_000, 50_000].randomElement()!,
          roundTrip: .milliseconds(.random(in: 0...400)), jitter: .milliseconds(.random(in: 0...20)),
          loss: .random(in: 0...0.05))
      }
      try await Task.sleep(for: .milliseconds(.random(in: 200...3_000)))
    }
  }

  private func summary(_ kilobytes: Int) -> String {
    counts.withLock { counts in
      let failures = counts.failures.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
      return "\(counts.right) right, \(counts.cancelled) cancelled, failed: \(failures); longest "
        + "\(rounded(counts.longest)) s, \(kilobytes) KB"
    }
  }

  private static var residentKilobytes: Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    return (fields.flatMap { Int($0[1]) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
  }
}
