/// Something that can be stopped.
public protocol Cancellable {
  /// Stops the activity. Calling it again does nothing.
  func cancel()
}

extension Cancellable {
  /// Keeps this alive in `collection`, to be cancelled when it is removed or the collection goes.
  @inlinable
  public func store<Collection: RangeReplaceableCollection>(in collection: inout Collection)
  where Collection.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Keeps this alive in `set`, to be cancelled when it is removed or the set goes.
  @inlinable
  public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(self).store(in: &set) }
}
