@_spi(Reflection) internal import Swift

/// Finds the ``Published`` properties of objects, and gives each object the one publisher that speaks for all.
package enum WillChange {
  /// Where a property lies in its object, and what it is.
  package struct Field: Sendable {
    package let offset: Int
    package let property: any PublishedProperty.Type
  }

  /// The fields of each class that was asked for. Reading a class takes 25 microseconds, looking it up a tenth of one.
  private static let fields = Guarded([ObjectIdentifier: [Field]]())

  /// The publishers of objects without any such property, by address. Swept when it has doubled.
  private static let others = Guarded(Others())

  static func publisher(of object: some AnyObject) -> ObservableObjectPublisher {
    let fields = fields(of: type(of: object))
    guard !fields.isEmpty else { return others.withLock { $0.publisher(of: object) } }
    let start = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    let holders = fields.map { $0.property.holder(at: start + $0.offset) }
    // The first property's storage has the last word: whoever comes first puts a publisher there.
    let publisher = holders[0].adopt(ObservableObjectPublisher())
    for holder in holders.dropFirst() { holder.replace(publisher) }
    return publisher
  }

  package static func fields(of type: AnyClass) -> [Field] {
    let key = ObjectIdentifier(type)
    if let known = fields.withLock({ $0[key] }) { return known }
    let found = read(type)
    fields.withLock { $0[key] = found }
    return found
  }

  /// Reads the stored properties, those of superclasses first, from the class's metadata. A mirror would do, too, but
  /// takes twice as long, and sees nothing of a class that has a mirror of its own.
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

/// What `objectWillChange` needs to know of a ``Published``.
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

private struct Others {
  private struct Entry {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var nextSweep = 64

  mutating func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let key = ObjectIdentifier(object)
    // An address may have been another object's before.
    if let entry = entries[key], entry.object === object { return entry.publisher }
    if entries.count >= nextSweep {
      entries = entries.filter { $0.value.object != nil }
      nextSweep = max(64, entries.count * 2)
    }
    let publisher = ObservableObjectPublisher()
    entries[key] = Entry(object: object, publisher: publisher)
    return publisher
  }
}
