internal import CInterleavings

/// A call of an atomic access in the program.
public struct AtomicCall {
  /// Where it returns to.
  public let address: UInt
  /// The function of the engine that it calls.
  public let function: String
}

extension Explorer {
  /// All of them.
  public var atomicCalls: [AtomicCall] {
    open()
    let most = 1 << 14
    let calls = [interleavings_call](unsafeUninitializedCapacity: most) { buffer, count in
      count = interleavings_atomic_calls(buffer.baseAddress, most)
    }
    return calls.map { AtomicCall(address: $0.address, function: String(cString: $0.function)) }
  }

  /// Numbers the order of a call, or that of its failure. False if there are too many.
  public func number(_ call: AtomicCall, isFailure: Bool, _ number: Int) -> Bool {
    interleavings_number_order(call.address, isFailure, Int32(number))
  }
}
