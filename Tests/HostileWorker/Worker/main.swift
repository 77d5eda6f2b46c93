import CSabotage
import ImageCodecs
import Synchronization

/// A worker that does what the end of a file asks for: `fault:` and the name of a fault.
let requests = Atomic(1)

func sabotage(_ bytes: UnsafeRawBufferPointer) throws(ImageCodecError) {
  let number = requests.add(1, ordering: .relaxed).newValue
  let end = String(decoding: bytes.suffix(40), as: UTF8.self)
  guard let mark = end.firstRange(of: "fault:") else { return }
  let fault = String(end[mark.upperBound...])
  if fault == "unguarded" {
    BoxesReferences.switchOff()
    return
  }
  switch CSabotage.sabotage(fault, Int64(number)) {
  case 0: return
  case -1: throw .corrupt("there is no fault \(fault)")
  case 12: throw .outOfMemory
  case let code: throw .corrupt("the system refused \(fault): \(code)")
  }
}

ImageWorker.runIfAsked(before: sabotage)
print("HostileWorker is started by tests.")
