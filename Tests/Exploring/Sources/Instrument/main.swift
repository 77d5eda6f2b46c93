import Foundation

// Instrument OUTPUT NUMBER SOURCE…: writes these sources to the folder OUTPUT, as they are explored. The lines stay the
// same, and are counted as those of the original.
//
// - The import of `Synchronization` becomes one of `Interleavings`, which has an `Atomic` of its own.
// - A variable that is marked `@exclusivity(unchecked)` becomes `@Plain`, which reports each access.
//   A structure that is the type of one becomes copyable.
// - A memory order that can be weakened is numbered, from NUMBER on. `Orders.swift` lists them.

let output = URL(fileURLWithPath: CommandLine.arguments[1])
var orders = Orders(first: Int(CommandLine.arguments[2])!)
try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)

func write(_ text: String, as name: String) throws {
  let place = output.appendingPathComponent(name)
  if let old = try? String(contentsOf: place, encoding: .utf8), old == text { return }
  try text.write(to: place, atomically: true, encoding: .utf8)
}

let sources = try CommandLine.arguments.dropFirst(3).map { path in
  let name = path.range(of: "/Sources/").map { String(path[path.index(after: $0.lowerBound)...]) } ?? path
  return Source(path: name, text: try String(contentsOfFile: path, encoding: .utf8), .swift)
}
let types = sources.reduce(into: Set()) { $0.formUnion(Plains.types(in: $1)) }
for source in sources {
  var edits = Imports.edits(of: source)
  edits += Plains.edits(of: source)
  edits += Plains.renewals(in: source)
  edits += Plains.copies(in: source, of: types)
  edits += orders.edits(of: source)
  try write(
    "#sourceLocation(file: \"\(source.path)\", line: 1)\n" + Replacement.apply(edits, to: source),
    as: URL(fileURLWithPath: source.path).lastPathComponent)
}
try write(orders.listing, as: "Orders.swift")
