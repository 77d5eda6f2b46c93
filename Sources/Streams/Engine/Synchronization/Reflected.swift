/// An object whose mirror is its own.
///
/// The mirror that Swift derives traps on stored locks and atomics, which cannot be copied into one. So each class that stores one
/// conforms. By default its mirror is empty.
@usableFromInline
package protocol Reflected: CustomReflectable {
  var reflectedChildren: [Mirror.Child] { get }
}

extension Reflected {
  @usableFromInline package var reflectedChildren: [Mirror.Child] { [] }

  @usableFromInline package var customMirror: Mirror {
    Mirror(self, children: reflectedChildren, ancestorRepresentation: .suppressed)
  }
}

/// A subscriber or a subscription of the library: `print()`, `dump` and debuggers show it by Combine's name, with Combine's children.
@usableFromInline
package protocol ReflectedByName: Reflected, CustomStringConvertible, CustomPlaygroundDisplayConvertible {}

extension ReflectedByName {
  @usableFromInline package var playgroundDescription: Any { description }
}
