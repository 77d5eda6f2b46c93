import Foundation

/// A memory order in the sources.
struct SourceOrder {
  let path: String
  /// Of the order.
  let line: Int
  /// Without the spaces around it.
  let text: String
  /// `acquiring`, `releasing`, `acquiringAndReleasing`, or `relaxed`.
  let name: String
  /// Whether it is that of an exchange that fails.
  let isFailure: Bool
  /// What is called, where its name stands.
  let function: String
  let functionLine: Int
  let functionColumn: Int

  static let folders = ["Sources/Streams", "Sources/StreamsExtras"]

  /// All of the sources at `root`, in the order of their paths.
  static func all(in root: URL) -> [SourceOrder] {
    folders.flatMap { folder -> [SourceOrder] in
      let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
      let names = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.sorted()
      return names.flatMap { name -> [SourceOrder] in
        let path = "\(folder)/\(name)"
        guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else {
          return []
        }
        return text.utf8.count > 0 ? orders(in: Array(text.utf8), path) : []
      }
    }
  }

  private static func orders(in text: [UInt8], _ path: String) -> [SourceOrder] {
    var starts = [0]
    for (index, byte) in text.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
    func line(_ number: Int) -> String {
      let end = number < starts.count ? starts[number] - 1 : text.count
      return String(decoding: text[starts[number - 1]..<end], as: UTF8.self)
        .trimmingCharacters(in: .whitespaces)
    }
    func place(_ index: Int) -> (line: Int, column: Int) {
      let line = starts.lastIndex { $0 <= index }! + 1
      return (line, index - starts[line - 1] + 1)
    }
    var all: [SourceOrder] = []
    for (label, isFailure) in [
      ("successOrdering: .", false), ("failureOrdering: .", true), ("ordering: .", false),
    ] {
      for index in occurrences(of: Array(label.utf8), in: text) {
        let name = word(at: index + label.utf8.count, in: text)
        let number = place(index).line
        guard !line(number).hasPrefix("//"), let called = call(around: index, in: text) else { continue }
        let function = place(called)
        all.append(
          SourceOrder(
            path: path, line: number, text: line(number), name: name, isFailure: isFailure,
            function: word(at: called, in: text), functionLine: function.line, functionColumn: function.column
          ))
      }
    }
    return all.sorted { ($0.line, $0.functionColumn) < ($1.line, $1.functionColumn) }
  }

  private static func occurrences(of label: [UInt8], in text: [UInt8]) -> [Int] {
    text.indices.dropLast(label.count).filter {
      text[$0] == label[0] && text[$0...].starts(with: label) && !($0 > 0 && isLetter(text[$0 - 1]))
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func word(at index: Int, in text: [UInt8]) -> String {
    String(decoding: text[index...].prefix(while: isLetter), as: UTF8.self)
  }

  /// Where the name stands of the function in whose arguments `index` is.
  private static func call(around index: Int, in text: [UInt8]) -> Int? {
    var depth = 0, place = index
    while place > 0 {
      place -= 1
      if text[place] == UInt8(ascii: ")") { depth += 1 }
      if text[place] == UInt8(ascii: "(") {
        if depth == 0 { break }
        depth -= 1
      }
    }
    let end = place
    while place > 0, isLetter(text[place - 1]) { place -= 1 }
    return place < end ? place : nil
  }

  /// Whether a function of the engine does what is called here.
  func fits(_ call: String) -> Bool {
    switch function {
    case "load": call.hasSuffix("_load")
    case "store": call.hasSuffix("_store")
    case "exchange": call.hasSuffix("_exchange")
    case "compareExchange", "weakCompareExchange": call.hasSuffix("_compare_exchange_val")
    case let name where name.hasSuffix("dd"): call.hasSuffix("_fetch_add") || call.hasSuffix("exchange_val")
    case let name where name.hasSuffix("ubtract"):
      call.hasSuffix("_fetch_sub") || call.hasSuffix("exchange_val")
    case let name where name.hasPrefix("bitwise"): call.contains("_fetch_")
    default: false
    }
  }
}
