internal import Synchronization

/// A name by which a stream's parts can be told apart.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private let value: UInt

  /// An identifier that no other call returned.
  public init() { value = nextIdentifier.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// The identifier of `object`, the same for as long as the object lives.
  public init(_ object: AnyObject) { value = UInt(bitPattern: ObjectIdentifier(object)) }

  public var description: String { "0x" + String(value, radix: 16) }
}

private let nextIdentifier = Atomic<UInt>(1)

/// Something that has a ``CombineIdentifier``. Classes have one for free.
public protocol CustomCombineIdentifierConvertible {
  /// What tells this one from all others, as long as it lives.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// That of the object.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
