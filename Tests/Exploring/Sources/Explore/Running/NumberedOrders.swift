import Foundation
import Interleavings

/// The orders of the sources, found in the program: a call of an atomic access belongs to the line that it was compiled from.
struct NumberedOrders {
  /// Those that can be weakened, whose number is their place here, plus one.
  let all: [SourceOrder]
  /// Those of which the program has no call.
  private(set) var missing: [SourceOrder] = []
  private(set) var complaints: [String] = []

  private static let names: Set<String> = ["acquiring", "releasing", "acquiringAndReleasing"]

  /// Tells the engine where they are. Before the first schedule.
  init() {
    let root = URL(filePath: #filePath).resolvingSymlinksInPath().appending(path: "../../../../../..")
      .standardizedFileURL
    all = SourceOrder.all(in: root).filter { Self.names.contains($0.name) }
    let calls = Explorer.shared.atomicCalls
    let places = CallPlaces(calls.map(\.address), root)
    var found: Set<Int> = []
    var isComplete = true
    for call in calls {
      guard let place = places[call.address] else { continue }
      for isFailure in [false, true] {
        let numbers = all.indices.filter { all[$0].isFailure == isFailure && place.isOf(all[$0], call) }
        guard let number = numbers.first(where: { place.column == all[$0].functionColumn }) ?? numbers.first
        else { continue }
        found.insert(number)
        isComplete = Explorer.shared.number(call, isFailure: isFailure, number + 1) && isComplete
      }
    }
    if !isComplete { complaints.append("there are too many orders to be numbered") }
    missing = all.indices.filter { !found.contains($0) }.map { all[$0] }
  }
}

/// Where in the sources calls are.
private struct CallPlaces {
  struct Place {
    let path: String
    let line: Int
    let column: Int

    func isOf(_ order: SourceOrder, _ call: AtomicCall) -> Bool {
      path == order.path && (order.functionLine...max(order.line, order.functionLine)).contains(line)
        && order.fits(call.function)
    }
  }

  private var places: [UInt: Place] = [:]
  private var paths: [String: String] = [:]

  init(_ addresses: [UInt], _ root: URL) {
    guard let base = Self.base else { return }
    // What a call was compiled from may be noted down before it.
    let distances: [UInt] = [1, 8, 16, 24, 40]
    for start in stride(from: 0, to: addresses.count, by: 200) {
      let part = addresses[start..<min(start + 200, addresses.count)]
      let list = part.flatMap { address in distances.map { "0x" + String(address - base - $0, radix: 16) } }
      let text = System.output(
        of: "llvm-symbolizer --obj=/proc/\(System.process)/exe --inlines --functions=none "
          + "\(list.joined(separator: " ")) 2>/dev/null")
      let blocks = text.split(separator: "\n\n", omittingEmptySubsequences: true).map { self.parse($0, root) }
      guard blocks.count >= list.count else { return }
      for (index, address) in part.enumerated() {
        places[address] =
          blocks[(index * distances.count)..<((index + 1) * distances.count)].lazy
          .compactMap { $0 }.first
      }
    }
  }

  subscript(address: UInt) -> Place? { places[address] }

  /// The innermost place in the sources: what is inlined there is the standard library's. `nil` if it has no line.
  private mutating func parse(_ block: Substring, _ root: URL) -> Place? {
    for line in block.split(separator: "\n") {
      let parts = line.split(separator: ":")
      guard parts.count == 3, let number = Int(parts[1]), let column = Int(parts[2]) else { continue }
      guard let path = path(String(parts[0]), root) else { continue }
      return number > 0 ? Place(path: path, line: number, column: column) : nil
    }
    return nil
  }

  /// The path in the repository. `nil` if it is none of the explored sources.
  private mutating func path(_ file: String, _ root: URL) -> String? {
    if let known = paths[file] { return known.isEmpty ? nil : known }
    let real = URL(filePath: file).resolvingSymlinksInPath().path
    let path = real.hasPrefix(root.path + "/") ? String(real.dropFirst(root.path.count + 1)) : ""
    let isExplored = SourceOrder.folders.contains { path.hasPrefix($0 + "/") }
    paths[file] = isExplored ? path : ""
    return isExplored ? path : nil
  }

  private static var base: UInt? {
    guard let line = System.output(of: "head -n 1 /proc/\(System.process)/maps").split(separator: "-").first
    else {
      return nil
    }
    return UInt(line, radix: 16)
  }
}
