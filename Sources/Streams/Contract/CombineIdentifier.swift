internal import Synchronization

/// A name by which a stream's parts can be told apart.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private let rawValue: UInt64

  /// An identifier that no other call returned.
  public init() { rawValue = nextIdentifier.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// The identifier of `object`, the same for as long as the object lives.
  public init(_ object: AnyObject) { rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

  public var description: String { "0x" + String(rawValue, radix: 16) }
}

private let nextIdentifier = Atomic<UInt64>(1)

/// Something that has a ``CombineIdentifier``. Classes have one for free.
public protocol CustomCombineIdentifierConvertible {
  /// What tells this one from all others, as long as it lives.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// That of the object.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
