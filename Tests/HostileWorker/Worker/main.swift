import CCodecs
import CSabotage
import ImageCodecs
import Synchronization

/// A worker that does what the end of a file asks for: `fault:` and the name of a fault.
let requests = Atomic(1)

/// Gives libheif a file without any of the checks that a decoder makes before.
func decodeUnguarded(_ bytes: UnsafeRawBufferPointer) throws(ImageCodecError) -> Never {
  #if CODECS_HEIF
    var options = CodecReadOptions()
    options.shouldContinue = { _ in true }
    var frame = CodecBoxesFrame()
    (frame.width, frame.height, frame.channels) = (1_024, 1_024, 3)
    var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
    let status = codec_heif_read(
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &options, &frame, &message)
    throw .corrupt("libheif came to an end: \(status)")
  #else
    throw .unsupportedFeature("HEIC")
  #endif
}

func sabotage(_ bytes: UnsafeRawBufferPointer) throws(ImageCodecError) {
  let number = requests.add(1, ordering: .relaxed).newValue
  let end = String(decoding: bytes.suffix(40), as: UTF8.self)
  guard let mark = end.firstRange(of: "fault:") else { return }
  let fault = String(end[mark.upperBound...])
  if fault == "unguarded" { try decodeUnguarded(bytes) }
  // Behind the file, there is what shows that the worker has received it.
  let proof = bytes.baseAddress.map { ($0 + bytes.count).loadUnaligned(as: Int64.self) } ?? 0
  switch CSabotage.sabotage(fault, Int64(number), proof) {
  case 0: return
  case -1: throw .corrupt("there is no fault \(fault)")
  case let code where code >= Int32(SabotageMegabytes):
    throw .corrupt("there were \(code - Int32(SabotageMegabytes)) MiB")
  case let code: throw .corrupt("the system refused \(fault): \(code)")
  }
}

ImageWorker.runIfAsked(before: sabotage)
print("HostileWorker is started by tests.")
