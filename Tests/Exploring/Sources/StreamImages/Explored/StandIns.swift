public import Foundation
import Interleavings
@_exported public import Streams

// What the explored parts of StreamImages use of the others, as far as they use it. None of it has any state that
// threads share.

public enum ImagePipeline {
  public enum Error: Swift.Error, Equatable {
    case cancelled, dataIsEmpty, other
  }
}

public struct ImageRequest: Sendable {
  public enum Priority: Int, CaseIterable, Comparable, Sendable {
    case veryLow, low, normal, high, veryHigh

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public var url: URL?
  public var priority = Priority.normal

  public init(priority: Priority = .normal) { self.priority = priority }
}

/// An image on its way through the jobs.
public struct EncodedImage: Sendable {
  public let number: Int
  public let isPreview: Bool
  public var wasCoalesced = false
  public var job: UInt64?
  private let content = Sample("an image")

  public init(_ number: Int, isPreview: Bool = false) {
    self.number = number
    self.isPreview = isPreview
    content.write()
  }

  public func read() { content.read() }
}

public struct DecodedImage: Sendable {
  public let isPreview: Bool
  public var wasCoalesced = false
  public var job: UInt64?
}

public struct ImageResponse: Sendable { public init() {} }
public struct DataResponse: Sendable {}

public struct DataCacheKey: Hashable, Sendable {
  let name: String
  public init(_ name: String) { self.name = name }
}

public struct ImageCacheKey: Hashable, Sendable {
  let name: String
  public init(_ name: String) { self.name = name }
}

public struct ResourceKey: Hashable, Sendable {}
public enum DataCacheError: Error { case other }

public enum DataLoadingError: Error, Equatable {
  case cancelled, connectionLost
  case protocolViolation(String)
}

public struct LoadedHead: Sendable {
  public var expectedByteCount: Int?
  public init() {}
}

public protocol DataChunks: Sendable {
  func next() async throws(DataLoadingError) -> Data?
  func cancel()
}

public struct AnyImageDecoder: Sendable { public init() {} }
public struct PreviewPolicy: Sendable { public init() {} }

/// The thread of the transfers: it is told when there is room, and when nobody wants the rest.
public final class CurlLoop: @unchecked Sendable {  // fibers share one thread
  public private(set) var rooms = 0
  public private(set) var cancellations = 0

  public init() {}

  func goOn(_: BodyPipe) {
    Explorer.shared.checkNoLockIsHeld("making room")
    rooms += 1
  }

  func cancel(_: BodyPipe) {
    Explorer.shared.checkNoLockIsHeld("cancelling a transfer")
    cancellations += 1
  }
}

/// In place of Dispatch's: what is put into it, a fiber does.
public final class DispatchQueue: Sendable {
  public init(label _: String) {}

  func async(_ work: @escaping @Sendable () -> Void) { Explorer.shared.onErrand!(work) }
}
