extension Cancellable {
  /// Stores this cancellable in a collection. It is cancelled when it is removed or the collection is released.
  @inlinable
  public func store<Collection: RangeReplaceableCollection>(in collection: inout Collection)
  where Collection.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Stores this cancellable in a set. It is cancelled when it is removed or the set is released.
  ///
  /// ```swift
  /// var cancellables: Set<AnyCancellable> = []
  /// let numbers = PassthroughSubject<Int, Never>()
  /// numbers.sink { print($0) }.store(in: &cancellables)
  /// numbers.send(1)  // Prints 1
  /// cancellables.removeAll()
  /// numbers.send(2)  // The subscription is cancelled.
  /// ```
  @inlinable
  public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(self).store(in: &set) }
}
