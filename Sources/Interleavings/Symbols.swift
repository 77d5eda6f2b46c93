internal import CInterleavings

/// Where in the sources an address of code is.
struct Place: Hashable {
  var file: String
  /// Zero if the compiler has given the code no line.
  var line = 0
  /// Where its function begins.
  var start = 0

  var name: String {
    "\(file.split(separator: "/").last.map(String.init) ?? file):\(line > 0 ? line : start)"
  }
}

/// Places of addresses in sources that can be read, by `llvm-symbolizer`, which comes with Swift from swift.org.
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
    var files: [String: Bool] = [:]
    // An address is where a call returns to. If it has no line, what stands before it in the function may have one.
    let distances: [UInt] = [1, 8, 16, 24, 40, 64, 96]
    for start in stride(from: 0, to: all.count, by: 100) {
      let part = Array(all[start..<min(start + 100, all.count)])
      let list = part.flatMap { address in distances.map { "0x" + String(address &- base &- $0, radix: 16) } }
      let text = System.output(
        of: "\(tool) --obj=/proc/\(System.process)/exe --verbose --inlines --functions=none "
          + "\(list.joined(separator: " ")) 2>/dev/null")
      let blocks = text.split(separator: "\n\n", omittingEmptySubsequences: true).map { Self.parse($0) }
      guard blocks.count >= list.count else { return }
      for (index, address) in part.enumerated() {
        let found = blocks[(index * distances.count)..<((index + 1) * distances.count)]
        let function = found.first?.first?.start
        let exact = found.first { $0.first.map { $0.line > 0 && $0.start == function } ?? false }
        places[address] = (exact ?? found.first ?? []).filter { place in
          let isShown = files[place.file] ?? Self.isShown(place.file)
          files[place.file] = isShown
          return isShown && (place.line > 0 || place.start > 0)
        }
      }
    }
  }

  /// The frames at `address`, the innermost first.
  subscript(address: UInt) -> [Place] { places[address] ?? [] }

  /// Neither the standard library nor this module, which are no news, nor what a macro has written, which nobody has.
  private static func isShown(_ file: String) -> Bool {
    file.hasSuffix(".swift") && !file.contains("swiftmacro_") && !file.contains("/swift/stdlib/")
      && !file.contains("/Sources/Interleavings") && !file.hasPrefix("/build/") && System.canRead(file)
  }

  private static func parse(_ block: Substring) -> [Place] {
    var all: [Place] = []
    for line in block.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "Filename": all.append(Place(file: String(parts[1])))
      case "Function start line" where !all.isEmpty: all[all.count - 1].start = Int(parts[1]) ?? 0
      case "Line" where !all.isEmpty: all[all.count - 1].line = Int(parts[1]) ?? 0
      default: break
      }
    }
    return all
  }

  /// Where the tool is. `nil` if places in the sources cannot be told.
  static var tool: String? {
    let folders = (System.environment("PATH") ?? "").split(separator: ":")
    return folders.map { "\($0)/llvm-symbolizer" }.first(where: System.canRun)
  }

  private static var base: UInt? {
    guard let line = System.output(of: "head -n 1 /proc/\(System.process)/maps").split(separator: "-").first
    else {
      return nil
    }
    return UInt(line, radix: 16)
  }
}
