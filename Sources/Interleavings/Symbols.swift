internal import CInterleavings
internal import Glibc

/// Where in the sources an address of code is.
struct Place: Hashable {
  var file: String
  var line: Int

  var name: String { "\(file.split(separator: "/").last.map(String.init) ?? file):\(line)" }
}

/// Source places of addresses, by `llvm-symbolizer`, which comes with Swift.
struct Symbols {
  private var places: [UInt: [Place]] = [:]

  /// The module of the function at `address`, from its mangled name.
  static func module(of address: UInt) -> String {
    guard let name = interleavings_function(address - 1) else { return "code without a name" }
    let mangled = String(cString: name).drop { $0 != "s" }.dropFirst()
    let digits = mangled.prefix { $0.isWholeNumber }
    guard let length = Int(digits), length > 0 else { return "the standard library" }
    return String(mangled.dropFirst(digits.count).prefix(length))
  }

  init(_ addresses: some Sequence<UInt>) {
    let all = Array(Set(addresses.filter { $0 > 1 })).sorted()
    guard !all.isEmpty, let tool = Self.tool, let base = Self.base else { return }
    // An address is where a call returns to. Code that is merged has no line, so what stands before it is asked for, too.
    let distances: [UInt] = [1, 8, 16, 24, 40]
    for start in stride(from: 0, to: all.count, by: 100) {
      let part = Array(all[start..<min(start + 100, all.count)])
      let list = part.flatMap { address in distances.map { "0x" + String(address - base - $0, radix: 16) } }
      let text = Self.output(
        of: "\(tool) --obj=/proc/\(getpid())/exe --output-style=LLVM --inlines --functions=linkage --no-demangle "
          + "\(list.joined(separator: " ")) 2>/dev/null")
      let blocks = text.split(separator: "\n\n", omittingEmptySubsequences: true)
      guard blocks.count >= list.count else { return }
      for (index, address) in part.enumerated() {
        let found = blocks[(index * distances.count)..<((index + 1) * distances.count)].map { Self.parse($0) }
        let function = found[0].functions.last
        places[address] = found.first { !$0.places.isEmpty && $0.functions.last == function }?.places
      }
    }
  }

  /// The frames at `address`, the innermost first.
  subscript(address: UInt) -> [Place] { places[address] ?? [] }

  private static func parse(_ block: Substring) -> (functions: [Substring], places: [Place]) {
    let lines = block.split(separator: "\n")
    var functions: [Substring] = [], places: [Place] = []
    for index in stride(from: 0, to: lines.count - 1, by: 2) {
      functions.append(lines[index])
      let parts = lines[index + 1].split(separator: ":")
      guard parts.count >= 3, let line = Int(parts[parts.count - 2]), line > 0 else { continue }
      places.append(Place(file: parts.dropLast(2).joined(separator: ":"), line: line))
    }
    return (functions, places)
  }

  private static var tool: String? {
    let folders = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":")
    return folders.map { "\($0)/llvm-symbolizer" }.first { access($0, X_OK) == 0 }
  }

  private static var base: UInt? {
    guard let line = output(of: "head -n 1 /proc/\(getpid())/maps").split(separator: "-").first else { return nil }
    return UInt(line, radix: 16)
  }

  private static func output(of command: String) -> String {
    guard let file = popen(command, "r") else { return "" }
    defer { pclose(file) }
    var bytes: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
