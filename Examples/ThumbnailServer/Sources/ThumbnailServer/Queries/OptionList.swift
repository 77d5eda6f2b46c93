internal import Foundation

/// The options of a request by name, as a client wrote them, with those of the presets that it names.
package struct OptionList: Sendable, Equatable {
  /// Of thumbnails. `url`, `v`, `expires` and `sig` are about the request, and always allowed.
  package static let names: Set<String> = [
    "w", "h", "dpr", "fit", "gravity", "focus", "bg", "enlarge", "crop", "rotate", "flip", "blur", "sharpen",
    "pixelate", "trim", "pad", "wm", "format", "q", "preset",
  ]
  static let requestNames: Set<String> = ["url", "v", "expires", "sig"]

  private var values: [String: String] = [:]

  package subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// - Throws: `query.NAME` for an option that occurs twice, and `query.unknown-option` for one that does not exist.
  init(_ pairs: some Sequence<(name: String, value: String)>) throws(Refusal) {
    for (name, value) in pairs {
      guard Self.names.contains(name) || Self.requestNames.contains(name) else {
        throw .bad("query.unknown-option")
      }
      guard values.updateValue(value, forKey: name) == nil else { throw .bad("query.\(name)") }
    }
  }

  /// The value of an option, as `parse` reads it. An empty or invalid value is a refusal.
  func value<Value>(_ name: String, _ parse: (String) -> Value?) throws(Refusal) -> Value? {
    guard let text = values[name] else { return nil }
    guard let value = parse(text) else { throw .bad("query.\(name)") }
    return value
  }

  func number(_ name: String, in range: ClosedRange<Double>) throws(Refusal) -> Double? {
    try value(name) { text in Double(text).flatMap { range.contains($0) ? $0 : nil } }
  }

  /// The names of options that change the image.
  fileprivate var imageOptions: Set<String> { Set(values.keys).intersection(Self.names) }

  /// Options that replace each other: both name the part that a crop keeps.
  private static let positions: Set<String> = ["gravity", "focus"]

  fileprivate mutating func addMissing(_ others: OptionList) {
    let hasPosition = !Self.positions.isDisjoint(with: values.keys)
    for (name, value) in others.values where values[name] == nil {
      if !hasPosition || !Self.positions.contains(name) { values[name] = value }
    }
  }
}

/// What clients may ask for, and by which short names.
package struct OptionPolicy: Sendable {
  /// The options that clients may use; `nil` for all. Presets may use any.
  package var allowed: Set<String>?
  private var presets: [String: OptionList] = [:]

  /// All options, and no presets.
  package init() {}

  /// Adds a preset, written as a query such as `w=320&h=200&fit=cover`. That of the name `default` is applied to all requests.
  ///
  /// - Throws: A text for people.
  package mutating func addPreset(_ name: String, _ query: String) throws {
    let pairs = (URLComponents(string: "?\(query)")?.queryItems ?? []).map {
      (name: $0.name, value: $0.value ?? "")
    }
    guard !name.isEmpty, !pairs.isEmpty else { throw ConfigurationError("The preset \(name) is empty.") }
    for (option, _) in pairs where !OptionList.names.subtracting(["preset"]).contains(option) {
      throw ConfigurationError("The preset \(name) has an unknown option, \(option).")
    }
    do throws(Refusal) { presets[name] = try OptionList(pairs) } catch {
      throw ConfigurationError("The preset \(name) is not valid: \(error.code).")
    }
  }

  /// Allows some options only.
  ///
  /// - Throws: A text for people.
  package mutating func allow(only names: [String]) throws {
    for name in names where !OptionList.names.contains(name) {
      throw ConfigurationError("\(name) is not an option.")
    }
    allowed = Set(names)
  }

  /// Replaces presets by their options. What a client wrote itself comes first, then its presets from right to left, then
  /// the preset `default`.
  func apply(to options: OptionList) throws(Refusal) -> OptionList {
    if let allowed, !options.imageOptions.isSubset(of: allowed) { throw .optionRefused }
    var all = options
    for name in (options["preset"] ?? "").split(separator: ",").reversed() {
      guard let preset = presets[String(name)] else { throw .bad("query.preset") }
      all.addMissing(preset)
    }
    if let preset = presets["default"] { all.addMissing(preset) }
    return all
  }
}

/// A setting that is not valid, described for the operator.
package struct ConfigurationError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
