import CFuzzer
import Foundation
import ScriptedModels

// Written once, before the fuzzer begins, which has no other thread.
nonisolated(unsafe) private let operators = Registry.all

/// One script: the first byte chooses the operator, the others are its steps. Traps at a finding.
private func play(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let bytes, count > 1 else { return 0 }
  let entry = operators[Int(bytes[0]) % operators.count]
  let steps = StepCodec.steps(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
  if let finding = entry.finding(in: steps) {
    FileHandle.standardError.write(Data("\(finding)\n".utf8))
    abort()
  }
  return 0
}

private var count = CommandLine.argc
private var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in play(bytes, count) })
