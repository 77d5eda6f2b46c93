/// An object whose mirror is its own.
///
/// The mirror that Swift derives traps on stored locks and atomics, which cannot be copied into one. So classes that store one
/// conform, or have a mirror of their own. By default the mirror is empty.
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

/// A part of the library that `print()`, `dump` and debuggers show by a name.
@usableFromInline
package protocol ReflectedByName: Reflected, CustomStringConvertible, CustomPlaygroundDisplayConvertible {}

extension ReflectedByName {
  @usableFromInline package var playgroundDescription: Any { description }
}
