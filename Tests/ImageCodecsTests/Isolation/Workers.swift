#if os(Linux)
  import Foundation
  import ImageCodecs
  import TestSupport
  import Testing

  /// Decoders with workers, and what there is of workers in the system.
  enum Workers {
    /// Built into the same folder as the tests.
    static let hostile: WorkerSettings = {
      let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      return WorkerSettings(
        program: .path(tests.deletingLastPathComponent().appending(path: "HostileWorker").path))
    }()

    /// A good image that asks a hostile worker for a fault.
    static func image(_ fault: String) throws -> [UInt8] {
      try ImageEncoder.encode(Samples.flat(300, 200, [10, 20, 30]), as: .png) + Array("fault:\(fault)".utf8)
    }

    /// The children of this process that run a program of this name.
    static func processes(_ program: String) -> [pid_t] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { pid_t($0) }.filter { process in
        guard let text = processFile("stat", of: process),
          let end = text.lastIndex(of: ")")
        else { return false }
        let fields = text[end...].split(separator: " ")
        return fields.count > 2 && fields[2] == "\(getpid())"
          && text.contains("(\(program))")
      }
    }

    /// The bytes of each memory that a process can reach by a descriptor.
    static func memories(of process: pid_t) -> [Int] {
      let folder = "/proc/\(process)/fd"
      return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
        let path = "\(folder)/\(name)"
        var status = stat()
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path),
          target.contains("memfd:"), stat(path, &status) == 0
        else { return nil }
        return Int(status.st_blocks) * 512
      }
    }

    /// What a process has spent, with all of its threads.
    static func processorTime(of process: pid_t) -> Duration {
      var clock = clockid_t()
      var time = timespec()
      guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return .zero }
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Memory of workers that this process still has mapped, and descriptors that it still has open.
    static var remains: (mappings: Int, descriptors: Int) {
      // Such a file says that it is empty, and is then read in part only, unless it is read to its end.
      let file = FileHandle(forReadingAtPath: "/proc/self/maps")
      let maps = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
      let folder = "/proc/self/fd"
      let open = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      }
      return (
        maps.split(separator: "\n").count { $0.contains("memfd:pixels") || $0.contains("memfd:image") },
        open.count { $0.contains("memfd:") || $0.contains("pidfd") }
      )
    }
  }

  /// A worker by a name of its own, so that others' are not counted or killed.
  final class NamedWorker: Sendable {
    let name = "worker-" + String(UInt32.random(in: 0 ... .max), radix: 16)
    private let link: URL

    /// - Parameter program: One that is built into the same folder as the tests.
    init(_ program: String = "image-worker") throws {
      let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      link = FileManager.default.temporaryDirectory.appending(path: name)
      try FileManager.default.createSymbolicLink(
        at: link, withDestinationURL: tests.deletingLastPathComponent().appending(path: program))
    }

    deinit { try? FileManager.default.removeItem(at: link) }

    var settings: WorkerSettings { WorkerSettings(program: .path(link.path)) }
  }

  /// One after the other: they look at what the process has open and mapped.
  @Suite("Isolation", .serialized, .timeLimit(.minutes(60)))
  enum IsolationTests {}

  let isUnderSanitizer = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
#endif
