import CSandbox
import Synchronization

/// The process that decodes images for a program.
public enum ImageWorker {
  static let flag = "--run-image-worker"
  /// The version of the messages. A worker with another version is refused.
  static let version = 4

  private static let canRunThisProgram = Atomic(false)

  /// Whether this program can be started anew as a worker.
  static var isThisProgram: Bool { canRunThisProgram.load(ordering: .relaxed) }

  /// Makes this program its own worker: call it first in `main`, before anything reads files, opens sockets or starts threads.
  ///
  /// ```swift
  /// @main
  /// enum Program {
  ///   static func main() async {
  ///     // Started anew by the pipeline, this program is a process that decodes images, and does not come back from here.
  ///     ImageWorker.runIfAsked()
  ///     await ThumbnailServer.main()
  ///   }
  /// }
  /// ```
  ///
  /// Returns at once if the program was started as usual. If it was started as a worker, it decodes images until the program
  /// that started it ends, and never returns.
  public static func runIfAsked() { runIfAsked(before: { _ in }) }

  /// The same with something that a worker does before it decodes.
  package static func runIfAsked(
    before work: @escaping (UnsafeRawBufferPointer) throws(ImageCodecError) -> Void
  ) {
    let words = CommandLine.arguments
    guard words.count == 3, words[1] == flag, sandbox_is_worker() else {
      canRunThisProgram.store(true, ordering: .relaxed)
      return
    }
    var loop = WorkerLoop(channel: Int32(SandboxChannel), before: work)
    loop.run()
  }
}

extension ImageWorker {
  /// The restrictions that the system enforces for a worker, before it reads the first byte of an image.
  public struct Protections: OptionSet, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It cannot gain privileges.
    public static let noNewPrivileges = Self(rawValue: UInt32(SandboxNoNewPrivileges))
    /// It can make only the system calls that its work needs. It opens no sockets, starts no processes, and opens no files,
    /// except to read them for an ``SVGRenderer`` (seccomp).
    public static let systemCalls = Self(rawValue: UInt32(SandboxSystemCalls))
    /// It has no access to files, even if it could open them; for an ``SVGRenderer``, only to read them (Landlock). Linux 5.13
    /// and later, where it is switched on.
    public static let files = Self(rawValue: UInt32(SandboxFiles))
    /// Its memory is limited. This is off in a build with a sanitizer, which needs terabytes of addresses.
    public static let addressSpace = Self(rawValue: UInt32(SandboxAddressSpace))
    /// Its processor time is limited.
    public static let processorTime = Self(rawValue: UInt32(SandboxProcessorTime))
    /// It has few descriptors, and writes no files.
    public static let descriptors = Self(rawValue: UInt32(SandboxDescriptors))
    /// Its memory is not written to disk when it crashes, and other processes of the user cannot read it.
    public static let noDumps = Self(rawValue: UInt32(SandboxNoDumps))
    /// It ends when the program does.
    public static let endsWithProgram = Self(rawValue: UInt32(SandboxEndsWithProgram))

    /// The restrictions that are required. If one is missing, no image is decoded.
    public static let required: Self = [
      .noNewPrivileges, .systemCalls, .processorTime, .descriptors, .noDumps, .endsWithProgram,
    ]

    private static let names: [(Self, String)] = [
      (.noNewPrivileges, "no new privileges"), (.systemCalls, "system calls (seccomp)"),
      (.files, "files (Landlock)"), (.addressSpace, "address space"), (.processorTime, "processor time"),
      (.descriptors, "descriptors"), (.noDumps, "no dumps"), (.endsWithProgram, "ends with the program"),
    ]

    public var description: String {
      Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
  }
}
