import Foundation

/// Makes the kernel refuse to bring files to the disk, with `EIO`, for this thread and those it starts.
///
/// - Returns: `false` where the kernel, or the processor, does not offer it.
func failSynchronizing() -> Bool {
  #if os(Linux) && (arch(x86_64) || arch(arm64))
    #if arch(x86_64)
      let calls: [UInt32] = [74, 75]
    #else
      let calls: [UInt32] = [82, 83]
    #endif
    // Reads the number of the call; fails those two; lets others through.
    var filter = [
      Instruction(code: 0x20, ifTrue: 0, ifFalse: 0, operand: 0),
      Instruction(code: 0x15, ifTrue: 1, ifFalse: 0, operand: calls[0]),
      Instruction(code: 0x15, ifTrue: 0, ifFalse: 1, operand: calls[1]),
      Instruction(code: 0x06, ifTrue: 0, ifFalse: 0, operand: 0x5_0000 | UInt32(EIO)),
      Instruction(code: 0x06, ifTrue: 0, ifFalse: 0, operand: 0x7FFF_0000),
    ]
    // Swift imports no functions with a variable number of arguments.
    guard let symbol = dlsym(nil, "prctl") else { return false }
    typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    let control = unsafeBitCast(symbol, to: Control.self)
    let (noNewPrivileges, seccomp, filterMode): (Int32, Int32, UInt) = (38, 22, 2)
    guard control(noNewPrivileges, 1, 0, 0, 0) == 0 else { return false }
    return filter.withUnsafeMutableBufferPointer { filter in
      var program = Program(count: UInt16(filter.count), filter: filter.baseAddress!)
      return withUnsafePointer(to: &program) {
        control(seccomp, filterMode, UInt(bitPattern: $0), 0, 0) == 0
      }
    }
  #else
    return false
  #endif
}

/// `struct sock_filter`.
private struct Instruction {
  let code: UInt16
  let ifTrue: UInt8
  let ifFalse: UInt8
  let operand: UInt32
}

/// `struct sock_fprog`.
private struct Program {
  let count: UInt16
  let filter: UnsafeMutablePointer<Instruction>
}
