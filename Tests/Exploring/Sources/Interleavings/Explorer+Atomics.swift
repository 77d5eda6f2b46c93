/// Atomics, as ``Memory`` has them.
extension Explorer {
  /// The running fiber is about to access `place`. False if it is alone: then memory is what it seems to be.
  private func begin(_ place: UnsafeMutablePointer<Place>, isWrite: Bool) -> Bool {
    let number = place.pointee.number
    guard current >= 0, number != 0 else {
      comeBetween()
      return false
    }
    reach(number, isWrite: isWrite)
    checkBirth(place)
    return true
  }

  /// An object that is used must have been handed over. In a `deinit`, it has: references are counted in order.
  func checkBirth(_ place: UnsafeMutablePointer<Place>) {
    let creator = place.pointee.creator
    if creator >= 0, place.pointee.birth > memory.clocks[current][creator] {
      if fibers[current].deinits > 0 { return memory.clocks[current][creator] = place.pointee.birth }
      fail(
        "X13: object \(place.pointee.number) is used, and its creation by fiber \(creator) does not happen before"
      )
    }
  }

  private func finish(_ place: UnsafeMutablePointer<Place>, isWrite: Bool) {
    memory.advance(current)
    touch(place.pointee.number, isWrite: isWrite)
  }

  @inline(__always)
  private func bits(_ order: MemoryOrder) -> UInt8 {
    guard let weakening, weakening.site == order.site else { return order.bits }
    return weakening.bits
  }

  // MARK: What is explored calls these

  @inline(never)
  public func newAtomic(_ value: UInt64) -> UnsafeMutablePointer<Place> {
    let place = newPlace()
    place.pointee.value = value
    if place.pointee.number != 0 { memory.append(value, to: place) }
    return place
  }

  @inline(never)
  public func load(_ place: UnsafeMutablePointer<Place>, _ order: MemoryOrder) -> UInt64 {
    let bits = bits(order), isSequential = bits & MemoryOrder.sequential != 0
    guard begin(place, isWrite: isSequential) else { return newest(place) }
    options.begin(Option(read: place.pointee.newest))
    if mayBeStale { addReads(of: place, bits) }
    let store = chooseOption().read
    observe(store, bits, order.site)
    let value = memory.stores[Int(store)].value
    note {
      "loads \(value) from \(place.pointee.number)\(store == place.pointee.newest ? "" : ", not the newest")"
    }
    finish(place, isWrite: isSequential)
    return value
  }

  @inline(never)
  public func store(_ value: UInt64, to place: UnsafeMutablePointer<Place>, _ order: MemoryOrder) {
    guard begin(place, isWrite: true) else { return set(place, value) }
    let bits = bits(order)
    options.begin(Option())
    if mayBeStale {
      walk(place, bits) { store, older in
        if !memory.stores[Int(store)].isUpdate { options.add(Option(next: store)) }
      }
    }
    let next = chooseOption().next
    write(value, to: place, before: next, bits, order.site, isUpdate: false)
    finish(place, isWrite: true)
  }

  /// Reads a value, in the same step in which ``endUpdate(_:of:before:_:)`` stores another.
  @inline(never)
  public func beginUpdate(_ place: UnsafeMutablePointer<Place>, _ order: MemoryOrder) -> (UInt64, Int32) {
    guard begin(place, isWrite: true) else { return (newest(place), -1) }
    let bits = bits(order)
    options.begin(Option(read: place.pointee.newest))
    if mayBeStale {
      walk(place, bits) { store, older in
        if !memory.stores[Int(store)].isUpdate { options.add(Option(read: older, next: store)) }
      }
    }
    let option = chooseOption()
    observe(option.read, bits, order.site)
    return (memory.stores[Int(option.read)].value, option.next)
  }

  @inline(never)
  public func endUpdate(
    _ value: UInt64, of place: UnsafeMutablePointer<Place>, before next: Int32, _ order: MemoryOrder
  ) {
    guard current >= 0, place.pointee.number != 0 else { return set(place, value) }
    write(value, to: place, before: next, bits(order), order.site, isUpdate: true)
    finish(place, isWrite: true)
  }

  @inline(never)
  public func compareExchange(
    _ place: UnsafeMutablePointer<Place>, _ expected: UInt64, _ desired: UInt64, _ success: MemoryOrder,
    _ failure: MemoryOrder, isWeak: Bool
  ) -> (exchanged: Bool, original: UInt64) {
    guard begin(place, isWrite: true) else {
      let original = newest(place)
      if original == expected { set(place, desired) }
      return (original == expected, original)
    }
    let bits = bits(success)
    options.begin(Option(read: place.pointee.newest))
    if mayBeStale {
      let newest = place.pointee.newest
      if isWeak, memory.stores[Int(newest)].value == expected {
        options.add(Option(read: newest, isSpurious: true))
      }
      walk(place, bits) { store, older in
        let wouldExchange = memory.stores[Int(older)].value == expected
        if !wouldExchange || !memory.stores[Int(store)].isUpdate {
          options.add(Option(read: older, next: store))
        }
      }
    }
    let option = chooseOption()
    let original = memory.stores[Int(option.read)].value
    let exchanges = original == expected && !option.isSpurious
    if exchanges {
      observe(option.read, bits, success.site)
      write(desired, to: place, before: option.next, bits, success.site, isUpdate: true)
    } else {
      observe(option.read, self.bits(failure), failure.site)
      note { "finds \(original) in \(place.pointee.number), not \(expected)" }
    }
    finish(place, isWrite: exchanges || bits & MemoryOrder.sequential != 0)
    return (exchanges, original)
  }

  // MARK: Stores

  private func newest(_ place: UnsafeMutablePointer<Place>) -> UInt64 {
    place.pointee.number == 0 ? place.pointee.value : memory.stores[Int(place.pointee.newest)].value
  }

  private func set(_ place: UnsafeMutablePointer<Place>, _ value: UInt64) {
    if place.pointee.number == 0 { place.pointee.value = value } else { memory.append(value, to: place) }
  }

  /// Calls `body` with each store that the fiber need not have seen, newest first, and the one before it.
  @inline(__always)
  private func walk(
    _ place: UnsafeMutablePointer<Place>, _ bits: UInt8, _ body: (_ store: Int32, _ older: Int32) -> Void
  ) {
    var store = place.pointee.newest
    while !memory.knows(current, store) {
      let older = memory.stores[Int(store)].older
      if older < 0 || bits & MemoryOrder.sequential != 0 && memory.stores[Int(store)].isSequential { return }
      body(store, older)
      store = older
    }
  }

  private func addReads(of place: UnsafeMutablePointer<Place>, _ bits: UInt8) {
    walk(place, bits) { _, older in options.add(Option(read: older)) }
  }

  /// The running fiber reads `store`.
  private func observe(_ store: Int32, _ bits: UInt8, _ site: UInt16) {
    if bits & MemoryOrder.acquires != 0, site != 0 { noteEffects(store, site) }
    memory.observe(store, current, bits: bits)
  }

  private func write(
    _ value: UInt64, to place: UnsafeMutablePointer<Place>, before next: Int32, _ bits: UInt8, _ site: UInt16,
    isUpdate: Bool
  ) {
    note { "stores \(value) in \(place.pointee.number)\(next < 0 ? "" : ", not as the newest")" }
    memory.write(value, to: place, before: next, current, bits: bits, site: site, isUpdate: isUpdate)
  }

  /// Notes down which orders this acquisition needs, if it orders anything.
  private func noteEffects(_ store: Int32, _ site: UInt16) {
    if memory.clocks[current].includes(memory.stores[Int(store)].clock) { return }
    effects[Int(site)] |= 1
    var store = store
    repeat {
      let here = memory.stores[Int(store)]
      if here.site != 0 { effects[Int(here.site)] |= 2 }
      if !here.isUpdate { return }
      store = here.older
    } while store >= 0
  }
}
