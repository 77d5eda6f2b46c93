import Streams
import StreamsTesting

/// A marble diagram of the reference: the operator runs in virtual time, and what it did is drawn.
struct Diagram {
  /// The name of the file, which comments link.
  let name: String
  private let inputs: [(String, String)]
  private let direct: (Stage) -> Void

  init(_ name: String, _ inputs: KeyValuePairs<String, String>, direct: @escaping (Stage) -> Void) {
    self.name = name
    self.inputs = inputs.map { ($0, $1) }
    self.direct = direct
  }

  /// The files of the diagram, by name.
  func files() throws -> [String: String] {
    let stage = try Stage(inputs)
    direct(stage)
    let lanes = stage.play()
    let description = "Marble diagram of " + lanes.compactMap(\.call).joined(separator: " and ")
    return Dictionary(
      uniqueKeysWithValues: [Drawing.Theme.light, .dark].map { theme in
        var drawing = Drawing(lanes, theme)
        return ("\(name)\(theme.suffix).svg", drawing.svg(describedAs: description))
      })
  }

  static var all: [Diagram] { timing + combining + flattening + failing + sharing }
}
