/// The stage of `map` by key paths.
@frozen @usableFromInline
struct KeyPathSubscriber<Paths: KeyPaths, Downstream: Subscriber>: StatelessSubscriber
where Downstream.Input == Paths.Values {
  @usableFromInline typealias Input = Paths.Root
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let paths: Paths
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ paths: Paths, _ downstream: Downstream) {
    self.paths = paths
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(paths.values(of: input)) }

  @usableFromInline var description: String { reflectedChildren.count == 1 ? "ValueForKey" : "ValueForKeys" }
  @usableFromInline var reflectedChildren: [Mirror.Child] { paths.children }
}

/// The key paths that are read of each value.
@usableFromInline
protocol KeyPaths {
  associatedtype Root
  associatedtype Values

  func values(of root: Root) -> Values

  var children: [Mirror.Child] { get }
}

@frozen @usableFromInline
struct OneKeyPath<Root, Value>: KeyPaths {
  @usableFromInline let keyPath: KeyPath<Root, Value>

  @inlinable
  init(_ keyPath: KeyPath<Root, Value>) { self.keyPath = keyPath }

  @inlinable @inline(__always)
  func values(of root: Root) -> Value { root[keyPath: keyPath] }

  @usableFromInline var children: [Mirror.Child] { [("keyPath", keyPath)] }
}

@frozen @usableFromInline
struct TwoKeyPaths<Root, Value0, Value1>: KeyPaths {
  @usableFromInline let keyPath0: KeyPath<Root, Value0>
  @usableFromInline let keyPath1: KeyPath<Root, Value1>

  @inlinable
  init(_ keyPath0: KeyPath<Root, Value0>, _ keyPath1: KeyPath<Root, Value1>) {
    self.keyPath0 = keyPath0
    self.keyPath1 = keyPath1
  }

  @inlinable @inline(__always)
  func values(of root: Root) -> (Value0, Value1) { (root[keyPath: keyPath0], root[keyPath: keyPath1]) }

  @usableFromInline var children: [Mirror.Child] { [("keyPath0", keyPath0), ("keyPath1", keyPath1)] }
}

@frozen @usableFromInline
struct ThreeKeyPaths<Root, Value0, Value1, Value2>: KeyPaths {
  @usableFromInline let keyPath0: KeyPath<Root, Value0>
  @usableFromInline let keyPath1: KeyPath<Root, Value1>
  @usableFromInline let keyPath2: KeyPath<Root, Value2>

  @inlinable
  init(
    _ keyPath0: KeyPath<Root, Value0>, _ keyPath1: KeyPath<Root, Value1>, _ keyPath2: KeyPath<Root, Value2>
  ) {
    self.keyPath0 = keyPath0
    self.keyPath1 = keyPath1
    self.keyPath2 = keyPath2
  }

  @inlinable @inline(__always)
  func values(of root: Root) -> (Value0, Value1, Value2) {
    (root[keyPath: keyPath0], root[keyPath: keyPath1], root[keyPath: keyPath2])
  }

  @usableFromInline var children: [Mirror.Child] {
    [("keyPath0", keyPath0), ("keyPath1", keyPath1), ("keyPath2", keyPath2)]
  }
}
