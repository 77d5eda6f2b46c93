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

// The last word that a worker is started with.
sabotage_set_version(CommandLine.arguments.last.flatMap { Int64($0) } ?? 0)
// A program of such a name is a worker that claims no more protections than these.
if let mark = CommandLine.arguments[0].firstRange(of: "protected-by-") {
  pretend(Int64(CommandLine.arguments[0][mark.upperBound...].prefix { $0.isNumber }) ?? 0)
}
ImageWorker.runIfAsked(before: sabotage)

/// Decodes a file as a program does to which the system refuses something: descriptors, or threads in the new way.
func decodeInHardship(_ path: String, _ hardship: String, _ amounts: [Int32]) {
  guard let bytes = readFile(path) else { return print("there is no file \(path)") }
  let decoder = IsolatedImageDecoder()
  for amount in amounts {
    guard suffer(hardship, amount) == 0 else { return print("there is no such hardship") }
    for place in ["there", "here"] {
      do throws(ImageCodecError) {
        let image = place == "here" ? try ImageDecoder.decode(bytes) : try decoder.decode(bytes)
        print(amount, place, "right", image.width)
      } catch {
        print(amount, place, error.code)
      }
    }
  }
}

func readFile(_ path: String) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = bytes.withUnsafeMutableBytes { read_file(path, $0.baseAddress, $0.count) }
  return count > 0 ? Array(bytes.prefix(Int(count))) : nil
}

/// The file, and zeros up to this size.
func padded(_ file: [UInt8], _ count: Int32) -> [UInt8] {
  file + [UInt8](repeating: 0, count: Int(count) - file.count)
}

/// Prints how many descriptors an idle worker takes after files of these sizes, and all when they are gone.
///
/// - Parameter hasInput: Whether there is standard input. Otherwise, the first memory is at 0.
func countDescriptors(_ file: [UInt8], _ sizes: [Int32], hasInput: Bool) throws {
  if !hasInput { _ = suffer("closed", 0) }
  let before = count_descriptors()
  for size in sizes {
    let decoder = IsolatedImageDecoder()
    if !hasInput { _ = suffer("opened", 0) }
    _ = try decoder.protections()
    if !hasInput { _ = suffer("closed", 0) }
    for _ in 0..<3 { _ = try decoder.info(of: padded(file, size)) }
    for _ in 0..<3 { _ = try decoder.decode(padded(file, size)) }
    withExtendedLifetime(decoder) { print("\(size): \(count_descriptors() - before)") }
  }
  print("end: \(count_descriptors() - before)")
}

/// Prints the errors of requests to workers that were started before all descriptors were taken.
func requestLate(_ file: [UInt8]) throws {
  for decodes in [false, true] {
    let decoder = IsolatedImageDecoder()
    _ = try decoder.protections()
    guard suffer("descriptors", 3) == 0 else { return print("there is no such hardship") }
    do throws(ImageCodecError) {
      if decodes { _ = try decoder.decode(file) } else { _ = try decoder.info(of: file) }
      print("right")
    } catch {
      print(error.code)
    }
    guard suffer("descriptors", 256) == 0 else { return print("there is no such hardship") }
  }
}

/// Prints how many descriptors are gone or new after a worker could not be started.
func failToStart(_ program: String, _ file: [UInt8]) {
  let before = count_descriptors()
  for _ in 0..<3 { _ = try? IsolatedImageDecoder(WorkerSettings(program: .path(program))).info(of: file) }
  print("\(program): \(count_descriptors() - before)")
}

let words = CommandLine.arguments
let amounts = words.dropFirst(3).compactMap { Int32($0) }
if words.count > 3, words[2] == "kept", let file = readFile(words[1]) {
  for hasInput in [true, false] { try countDescriptors(file, amounts, hasInput: hasInput) }
} else if words.count > 3, words[2] == "late", let file = readFile(words[1]) {
  for amount in amounts { try requestLate(padded(file, amount)) }
} else if words.count > 3, words[2] == "absent", let file = readFile(words[1]) {
  for program in words.dropFirst(3) { failToStart(program, file) }
} else if words.count > 3 {
  decodeInHardship(words[1], words[2], amounts)
} else {
  print("HostileWorker is started by tests.")
}
