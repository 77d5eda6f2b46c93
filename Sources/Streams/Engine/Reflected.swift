/// An object whose mirror is its own.
///
/// The mirror that Swift derives traps on stored locks and atomics: they cannot be copied into one. So each class that stores one
/// conforms. It shows nothing, unless it says otherwise.
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

/// How a subscription is shown that is not named after its type.
@usableFromInline
package struct Portrait {
  let name: String
  let children: [Mirror.Child]

  @usableFromInline
  package init(_ name: String, _ children: [Mirror.Child]) {
    self.name = name
    self.children = children
  }
}

/// What an operator with one upstream may show in a mirror.
@usableFromInline
package struct ReflectedParts<Memory> {
  package let downstream: Any
  package let upstream: (any Subscription)?
  /// What the rule remembers; `nil` while a value passes, perhaps on another thread.
  package let memory: Memory?
  /// Where the stream stands.
  package let status: String
}
