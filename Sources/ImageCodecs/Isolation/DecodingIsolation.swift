/// Where images are decoded: in the program, or in processes that cannot harm it.
///
/// ```swift
/// var configuration = ImagePipeline.Configuration()
/// configuration.decodingIsolation = .process()
/// ```
public enum DecodingIsolation: Sendable, Hashable {
  /// In the program.
  case none

  /// In worker processes without files, network or children, with limits of memory and time that the system enforces.
  ///
  /// Linux only, on x86-64 and 64-bit ARM; elsewhere decoding fails with
  /// ``ImageCodecError/isolationUnavailable(_:)``. <doc:/Guides/security> describes what workers can do and cannot.
  case process(WorkerSettings = WorkerSettings())

  /// The default of a pipeline: HEIC, AVIF, JPEG XL and TIFF in worker processes, because their libraries have a history of memory
  /// errors, and other formats in the program.
  ///
  /// Without a worker program, or without the system's protections, these formats are decoded in the program too, and the pipeline
  /// writes once to standard error what to do. On systems other than Linux, this is ``none``.
  public static let `default`: DecodingIsolation = {
    #if os(Linux)
      var settings = WorkerSettings(allowsForeignDecoders: true)
      settings.formats = [.heic, .avif, .jpegXL, .tiff]
      settings.fallsBackToProgram = true
      return .process(settings)
    #else
      return .none
    #endif
  }()
}

/// How worker processes are started, and how long they are kept.
public struct WorkerSettings: Sendable, Hashable {
  /// The program that a worker runs.
  public var program: Program

  /// How many images a worker decodes, or headers it reads, before a new one takes its place; nil for as many as it lives to.
  ///
  /// An image that takes a worker over can read and falsify the images that the same worker decodes later. With 1, each
  /// image has a process of its own, which costs about 20 milliseconds of processor time each.
  public var imagesPerWorker: Int?

  /// Whether a pipeline may call decoders that are not the library's. They run in the program, as they cannot be isolated.
  ///
  /// False by default: a request that such a decoder takes fails with ``ImageCodecError/isolationUnavailable(_:)``.
  public var allowsForeignDecoders: Bool

  /// The formats that a pipeline decodes in workers; nil, the default, for all.
  public var formats: Set<ImageFormat>?

  /// Whether a pipeline decodes in the program where no worker can be started: on other systems, without a program to start, or without
  /// the required protections. False by default: images then fail with ``ImageCodecError/isolationUnavailable(_:)``.
  ///
  /// The first time, it writes the reason and what to do to standard error.
  public var fallsBackToProgram = false

  /// The default settings, unless you change them.
  public init(
    program: Program = .automatic, imagesPerWorker: Int? = nil, allowsForeignDecoders: Bool = false
  ) {
    (self.program, self.imagesPerWorker) = (program, imagesPerWorker)
    self.allowsForeignDecoders = allowsForeignDecoders
  }

  /// The program that a worker runs.
  public enum Program: Sendable, Hashable {
    /// This program, if it has called ``ImageWorker/runIfAsked()``; else `image-worker` in its directory.
    case automatic

    /// The program at this path. It must call ``ImageWorker/runIfAsked()`` and be built with the same version of this library.
    case path(String)
  }
}

/// Why there is no worker process.
public enum IsolationFailure: Sendable, Hashable, CustomStringConvertible {
  /// The platform is not Linux, or the processor has no filter of system calls.
  case platform
  /// The program has not called ``ImageWorker/runIfAsked()``, and there is no `image-worker` in its directory.
  case programMissing
  /// The worker could not be started, or is not one: with the reason.
  case notStarted(String)
  /// The system does not enforce these protections.
  case unprotected(ImageWorker.Protections)
  /// This decoder is not one of the library's, and the settings do not allow others.
  case foreignDecoder(String)

  /// Whether no later attempt will succeed.
  package var isPermanent: Bool {
    switch self {
    case .platform, .programMissing, .unprotected: true
    case .notStarted, .foreignDecoder: false
    }
  }

  public var description: String {
    switch self {
    case .platform: "worker processes need Linux on x86-64 or 64-bit ARM"
    case .programMissing:
      "call ImageWorker.runIfAsked() first in your program, or put image-worker beside it"
    case .notStarted(let reason): "the worker process cannot be started: \(reason)"
    case .unprotected(let missing): "the system does not enforce: \(missing)"
    case .foreignDecoder(let name): "\(name) cannot run in a worker process"
    }
  }
}
