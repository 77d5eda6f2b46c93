@_spi(Reflection) internal import Swift

/// Finds the ``Published`` properties of objects, and gives each object the one publisher that speaks for all.
package enum WillChange {
  /// The offset of a property in its object, and its type.
  package struct Field: Sendable {
    package let offset: Int
    package let property: any PublishedProperty.Type
  }

  /// The fields of each class that was looked up: reading a class is slow.
  private static let fields = Guarded([ObjectIdentifier: [Field]]())

  /// The publishers of objects without any such property.
  private static let others = Guarded(Others())

  static func publisher(of object: some AnyObject) -> ObservableObjectPublisher {
    let fields = fields(of: type(of: object))
    guard !fields.isEmpty else { return publisherOfOther(object) }
    withExtendedLifetime(others.withLock { ($0.look(), $0.look()) }) {}
    let start = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    let holders = fields.map { $0.property.holder(at: start + $0.offset) }
    // The first property's storage decides: the first thread to arrive stores a publisher there.
    let publisher = holders[0].adopt(ObservableObjectPublisher())
    for holder in holders.dropFirst() { holder.replace(publisher) }
    return publisher
  }

  private static func publisherOfOther(_ object: some AnyObject) -> ObservableObjectPublisher {
    let (publisher, gone) = others.withLock { others in
      let (publisher, former) = others.publisher(of: object)
      return (publisher, (former, others.look(), others.look()))
    }
    withExtendedLifetime(gone) {}  // objects that are released with these may use a publisher
    return publisher
  }

  package static func fields(of type: AnyClass) -> [Field] {
    let key = ObjectIdentifier(type)
    if let known = fields.withLock({ $0[key] }) { return known }
    let found = read(type)
    fields.withLock { $0[key] = found }
    return found
  }

  /// Reads the stored properties, those of superclasses first, from the class's metadata. A mirror sees nothing of a class
  /// that has a mirror of its own.
  private static func read(_ type: AnyClass) -> [Field] {
    var found: [Field] = []
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { _, offset, type, _ in
      if let property = type as? any PublishedProperty.Type {
        found.append(Field(offset: offset, property: property))
      }
      return true
    }
    return found
  }
}

/// The part of a ``Published`` that `objectWillChange` uses.
package protocol PublishedProperty: SendableMetatype {
  /// The storage of the property that lies at an address.
  static func holder(at address: UnsafeRawPointer) -> any WillChangeHolder
}

extension Published: PublishedProperty {
  package static func holder(at address: UnsafeRawPointer) -> any WillChangeHolder {
    address.assumingMemoryBound(to: Published<Value>.self).pointee.storage
  }
}

/// Something that signals a publisher before it changes.
package protocol WillChangeHolder: AnyObject {
  /// Takes `publisher` if there is none yet, and answers the one there is.
  func adopt(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher
  func replace(_ publisher: ObservableObjectPublisher)
}

/// The publishers of objects that have no storage for one.
///
/// There is no notification when such an object is deallocated. So each use of any object's publisher checks two of
/// these objects, in turn. A publisher outlives its object, and keeps its subscribers, for about half as many uses as
/// there are such objects.
///
/// Callers release the other objects that are returned after they unlock.
private struct Others {
  private struct Entry {
    let key: ObjectIdentifier
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  private var entries: [Entry] = []
  private var places: [ObjectIdentifier: Int] = [:]
  private var next = 0

  /// The publisher of `object`, and that of a deallocated object that had the same address.
  mutating func publisher(
    of object: AnyObject
  ) -> (publisher: ObservableObjectPublisher, former: ObservableObjectPublisher?) {
    let key = ObjectIdentifier(object)
    var former: ObservableObjectPublisher?
    if let place = places[key] {
      if entries[place].object === object { return (entries[place].publisher, nil) }
      former = remove(at: place)
    }
    let publisher = ObservableObjectPublisher()
    places[key] = entries.count
    entries.append(Entry(key: key, object: object, publisher: publisher))
    return (publisher, former)
  }

  /// Checks the next object, and removes its publisher if the object is deallocated.
  ///
  /// - Returns: That publisher, or the object, because this may be the last reference to it.
  mutating func look() -> AnyObject? {
    if entries.isEmpty { return nil }
    if next >= entries.count { next = 0 }
    guard let object = entries[next].object else { return remove(at: next) }
    next += 1
    return object
  }

  private mutating func remove(at place: Int) -> ObservableObjectPublisher {
    entries.swapAt(place, entries.count - 1)
    let gone = entries.removeLast()
    places[gone.key] = nil
    if place < entries.count { places[entries[place].key] = place }
    return gone.publisher
  }
}
