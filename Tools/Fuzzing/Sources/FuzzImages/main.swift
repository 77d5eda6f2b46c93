import CFuzzer
import Foundation

private let format: ImageFuzzing = {
  let flag = CommandLine.arguments.first { $0.hasPrefix("--format=") }
  guard let format = flag.flatMap({ ImageFuzzing(rawValue: String($0.dropFirst(9))) }) else {
    FileHandle.standardError.write(Data("FuzzImages: --format=jpeg, or another one, is missing\n".utf8))
    exit(2)
  }
  return format
}()

private var count = CommandLine.argc
private var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
  LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    format.play(UnsafeBufferPointer(start: bytes, count: count))
    return 0
  })
