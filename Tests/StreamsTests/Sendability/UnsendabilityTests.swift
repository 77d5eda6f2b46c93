import Foundation
import Streams
import StreamsExtras
import Testing

/// What must not compile is given to the compiler.
@Suite("Types that are not `Sendable`", .leavesNothing)
struct UnsendabilityTests {
  /// What keeps values that are not, what holds a closure of the user's, and what hides whether it does.
  private static let types = """
    PassthroughSubject<Unshared, Broken>
    CurrentValueSubject<Unshared, Broken>
    Future<Unshared, Broken>
    Published<Unshared>
    Published<Unshared>.Publisher
    Just<Unshared>
    Optional<Unshared>.Publisher
    Result<Unshared, Broken>.Publisher
    Record<Unshared, Broken>
    Publishers.Sequence<[Unshared], Never>
    Publishers.Drop<AnyPublisher<Int, Never>>
    Publishers.Zip<PassthroughSubject<Int, Never>, AnyPublisher<Int, Never>>
    Publishers.Share<PassthroughSubject<Unshared, Never>>
    Publishers.Delay<AnyPublisher<Int, Never>, MainActorScheduler>
    AsyncPublisher<AnyPublisher<Int, Never>>
    AsyncTypedPublisher<AnyPublisher<Int, Never>>
    AsyncPublisher<PassthroughSubject<Int, Never>>.Iterator
    AnyPublisher<Int, Never>
    AnySubscriber<Int, Never>
    Subscribers.Sink<Int, Never>
    Subscribers.Assign<Unshared, Int>
    Publishers.Map<PassthroughSubject<Int, Never>, Int>
    Publishers.TryMap<PassthroughSubject<Int, Never>, Int>
    Publishers.CompactMap<PassthroughSubject<Int, Never>, Int>
    Publishers.Filter<PassthroughSubject<Int, Never>>
    Publishers.Scan<PassthroughSubject<Int, Never>, Int>
    Publishers.Reduce<PassthroughSubject<Int, Never>, Int>
    Publishers.FlatMap<Just<Int>, PassthroughSubject<Int, Never>>
    Publishers.Catch<PassthroughSubject<Int, Never>, Just<Int>>
    Publishers.MapError<PassthroughSubject<Int, Never>, Broken>
    Publishers.HandleEvents<PassthroughSubject<Int, Never>>
    Publishers.RemoveDuplicates<PassthroughSubject<Int, Never>>
    Publishers.Buffer<PassthroughSubject<Int, Never>>
    Publishers.Timeout<PassthroughSubject<Int, Never>, MainActorScheduler>
    Publishers.MapKeyPath<PassthroughSubject<Int, Never>, Int>
    Deferred<PassthroughSubject<Int, Never>>
    """.split(separator: "\n").map(String.init)

  @Test(
    "The compiler rejects types that are not `Sendable` where that is required",
    .enabled(if: Compiler.isThere))
  func refused() throws {
    let preamble = [
      "import Streams",
      "final class Unshared {}",
      "struct Broken: Error {}",
      "func requireSendable<Value: Sendable>(_: Value.Type) {}",
      "requireSendable(PassthroughSubject<Int, Never>.self)",
    ]
    let claims = Self.types.map { "requireSendable(\($0).self)" }

    let refused = try Compiler.errorLines(of: preamble + claims)

    #expect(refused == Set(preamble.count + 1...preamble.count + claims.count))
  }
}

/// The compiler of the toolchain, on the modules that this test was built with.
private enum Compiler {
  private static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
  private static let modules = products.appending(path: "Modules").path(percentEncoded: false)
  private static let threads = products.appending(path: "CThreads.build/module.modulemap")
    .path(percentEncoded: false)

  static let isThere =
    FileManager.default.fileExists(atPath: modules + "/Streams.swiftmodule")
    && FileManager.default.fileExists(atPath: threads)

  /// The numbers of the lines, from 1, that do not compile.
  static func errorLines(of lines: [String]) throws -> Set<Int> {
    let folder = try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask,
      appropriateFor: FileManager.default.temporaryDirectory,
      create: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "main.swift")
    try Data(lines.joined(separator: "\n").utf8).write(to: file)

    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", modules,
      "-Xcc", "-fmodule-map-file=\(threads)", file.path(percentEncoded: false),
    ]
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Set(output.matches(of: /main\.swift:([0-9]+):[0-9]+: error:/).compactMap { Int($0.1) })
  }
}
