public import Foundation
package import Interleavings
@_exported public import Streams

// What the explored sources use of the others, as far as they use it. None of it has state that threads share: the
// real types need decoders, a server or the file system.

/// The real one has all parts of a pipeline.
public final class ImagePipeline: Sendable {
  public enum Error: Swift.Error, Equatable {
    case cancelled, dataIsEmpty, pipelineInvalidated, other
    case dataLoadingFailed(DataLoadingError)
  }
}

/// The real one has URLs, processors and options.
public struct ImageRequest: Hashable, Sendable {
  public enum Priority: Int, CaseIterable, Comparable, Sendable {
    case veryLow, low, normal, high, veryHigh

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public var url: URL?
  public var priority = Priority.normal
  let name: String

  public init(_ name: String = "image", priority: Priority = .normal) {
    (self.name, self.priority) = (name, priority)
  }
}

/// The real one counts everything that makes requests differ.
public struct ImageJobKey: Hashable, Sendable {
  let name: String
  init?(_ request: ImageRequest) {
    if request.name.isEmpty { return nil }
    name = request.name
  }
}

/// The real one is made of hashes.
public struct DataCacheKey: Hashable, Sendable {
  let name: String
  public init(_ name: String) { self.name = name }
}

public struct ImageCacheKey: Hashable, Sendable {
  let name: String
  public init(_ name: String) { self.name = name }
}

public struct ResourceKey: Hashable, Sendable {}

/// The real one has more cases, which carry the errors of decoders.
public enum DataCacheError: Error, Equatable { case diskFull }

/// The real one has pixels.
public struct DecodedImage: Sendable {
  public let number: Int
  public var isPreview = false
  public var wasCoalesced = false
  public var job: UInt64?
}

/// The real one has where the bytes come from.
public struct EncodedImage: Sendable {
  public var data: Data
  public let number: Int
  public let isPreview: Bool
  public var wasCoalesced = false
  public var job: UInt64?
  package var charge: ByteBudget.Charge?
  /// Whoever receives it looks into it.
  private let content = Sample("an image")
  private let token = Token()

  public init(_ number: Int, isPreview: Bool = false, byteCount: Int = 0) {
    data = Data(count: byteCount)
    (self.number, self.isPreview) = (number, isPreview)
    content.write()
  }

  public func read() { content.read() }
}

/// The real one has headers.
public struct LoadedHead: Sendable, Hashable {
  public var expectedByteCount: Int?
  var url: String { "" }
  public init(expectedByteCount: Int? = nil) { self.expectedByteCount = expectedByteCount }
}

enum Redaction { static func text(of url: String) -> String { url } }

func text(ofSystemError code: Int32) -> String { "\(code)" }

public struct AnyImageDecoder: Sendable {
  public let number: Int
  public init(_ number: Int) { self.number = number }
}

public struct PreviewPolicy: Sendable { public init() {} }

public struct DataResponse: Sendable {}
public struct ImageResponse: Sendable {
  public let number: Int
  public init(_ number: Int) { self.number = number }
}

extension DataLoadingError { static let lost = DataLoadingError.connectionLost(.idle, reason: "") }

/// The thread of the transfers, as a body sees it.
final class CurlLoop: @unchecked Sendable {  // fibers share one thread
  private(set) var rooms = 0
  private(set) var cancellations = 0

  func resume(_: BodyPipe) { rooms += 1 }
  func cancel(_: BodyPipe) { cancellations += 1 }
}
