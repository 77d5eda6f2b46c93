/// The first words of the names of scenarios, up to a space, colon or comma, without those that begin with another one. Each
/// name begins with exactly one of them.
public func beginnings(of names: [String]) -> [String] {
  let words = Set(names.map { String($0.prefix { $0 != " " && $0 != ":" && $0 != "," }) }).sorted()
  return words.reduce(into: []) { kept, word in
    if kept.last.map(word.hasPrefix) != true { kept.append(word) }
  }
}
