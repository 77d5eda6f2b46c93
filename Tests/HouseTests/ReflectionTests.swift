import Testing

/// Swift's own mirror of an object traps on a stored lock or atomic, which cannot be copied: debuggers and `dump` look at any object.
@Suite("Custom mirrors")
struct ReflectionTests {
  @Test("Each class that stores a noncopyable value has a custom mirror")
  func mirrors() throws {
    let exceptions = ["UnsafeMutablePointer<", "static let"]
    let reflected = Self.reflectedTypes
    var patterns: [String: Regex<AnyRegexOutput>] = [:]
    for module in Set(Repository.sources.map(Self.module)) {
      let types = Self.noncopyableTypes(of: module).joined(separator: "|")
      patterns[module] = try Regex(#"^\s*[^/]*\b(let|var) \w+\s*(:|=)[^{]*\b(\#(types))\b(?!\.)"#)
    }

    let wrong = Repository.sources.flatMap { file -> [String] in
      let noncopyable = patterns[Self.module(of: file)]!
      var types: [(indentation: Int, name: String)] = []
      return file.lines.compactMap { line -> String? in
        guard
          let indentation = line.firstIndex(where: { $0 != " " }).map({
            line.distance(from: line.startIndex, to: $0)
          })
        else { return nil }
        if !line.hasPrefix(")") { types.removeAll { $0.indentation >= indentation && line.trimmed != "{" } }
        if let name = Self.declaredType(line) {
          types.append((indentation, line.contains("~Copyable") ? "" : name))
          return nil
        }
        guard let type = types.last, type.indentation == indentation - 2, !type.name.isEmpty,
          line.contains(noncopyable), !exceptions.contains(where: line.contains),
          !reflected.contains(type.name)
        else { return nil }
        return "\(file.path): \(type.name) stores \(line.trimmed)"
      }
    }

    #expect(wrong == [])
  }

  @Test("The search for custom mirrors finds more than twenty types")
  func instrument() {
    #expect(Self.noncopyableTypes(of: "Streams").contains("LifecycleState"))
    #expect(
      Self.reflectedTypes.isSuperset(of: [
        "SingleUpstreamSubscription", "SingleResultSubscription", "SubjectSubscription",
      ]))
    #expect(Self.reflectedTypes.count > 20)
  }

  private static func module(of file: TextFile) -> String { String(file.path.split(separator: "/")[1]) }

  /// Those of the module itself, and those that others use of `Streams`.
  private static func noncopyableTypes(of module: String) -> [String] {
    ["Atomic", "Mutex", "Lock", "LifecycleState", "DemandCounter"]
      + Repository.sources.filter { self.module(of: $0) == module }.flatMap(\.lines)
      .filter { $0.contains("~Copyable") }.compactMap(declaredType)
  }

  private static let reflectedTypes: Set<String> = {
    let lines = Repository.sources.flatMap(\.lines)
    let direct = lines.filter {
      $0.contains("Reflect") && $0.contains(/(Reflected|ReflectedByName|CustomReflectable)\b/)
    }
    .compactMap { line in declaredType(line) ?? extendedType(line) }
    var types = Set(direct)
    // A subclass inherits the mirror.
    for line in lines {
      if line.contains("class "), let name = declaredType(line),
        let superclass = line.firstMatch(of: /class \w+(?:<[^{]*>)?: (\w+)/),
        types.contains(String(superclass.1))
      {
        types.insert(name)
      }
    }
    return types
  }()

  /// Most lines are ruled out before the expression, which is slow.
  private static func declaredType(_ line: String) -> String? {
    guard ["class ", "struct ", "actor ", "enum "].contains(where: line.contains) else { return nil }
    return line.firstMatch(of: /^\s*(?:[a-z@()]+ )*(?:class|struct|actor|enum) (\w+)/).map { String($0.1) }
  }

  private static func extendedType(_ line: String) -> String? {
    guard line.contains("extension ") else { return nil }
    return line.firstMatch(of: /^\s*extension (?:\w+\.)*(\w+)/).map { String($0.1) }
  }
}
