internal import Synchronization

/// An identifier that distinguishes the parts of a stream.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private let rawValue: UInt64

  /// Creates an identifier that no other call returns.
  public init() { rawValue = nextIdentifier.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// Creates the identifier of an object, which stays the same during the lifetime of the object.
  public init(_ object: AnyObject) { rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

  public var description: String { "0x" + String(rawValue, radix: 16) }
}

private let nextIdentifier = Atomic<UInt64>(1)

#if CheckedTransforms
  /// A type with a ``CombineIdentifier``. Subscribers and subscriptions are such types, and are called on any thread: with
  /// the trait, their conformance cannot belong to an actor.
  public protocol CustomCombineIdentifierConvertible: SendableMetatype {
    /// An identifier that stays the same during the lifetime of this value.
    var combineIdentifier: CombineIdentifier { get }
  }
#else
  /// A type with a ``CombineIdentifier``. Classes conform without code.
  public protocol CustomCombineIdentifierConvertible {
    /// An identifier that stays the same during the lifetime of this value.
    var combineIdentifier: CombineIdentifier { get }
  }
#endif

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identifier of the object.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
