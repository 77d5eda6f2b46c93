import Foundation
import Mutations

/// The mutants of the chosen files, and the sample that is drawn from them.
struct Candidates {
  struct Candidate {
    let mutant: Mutant
    let target: Int
    let hash: UInt64
    var key: [String] { [mutant.path, String(hash, radix: 16), mutant.name] }
    var group: String { Plan.targets[target].group }
  }

  let all: [Candidate]
  let sources: [String: Source]

  init(tree: Tree, paths: [String]) throws {
    let chosen = tree.files.filter { path in
      // A header is part of every file that includes it, and of modules.
      guard let target = Plan.target(of: path), Language(path: path) != nil, !path.hasSuffix(".h"),
        !Plan.uncompiled.contains(path)
      else { return false }
      if paths.isEmpty { return Plan.targets[target].weight > 0 }
      return paths.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
    guard !chosen.isEmpty else {
      throw Tree.Failure(description: "there is no source at \(paths.joined(separator: ", "))")
    }
    let targets = Set(chosen.compactMap { Plan.target(of: $0) })
    var all: [Candidate] = [], sources: [String: Source] = [:]
    for target in targets.sorted() {
      // Cases of enumerations are looked up in the whole module.
      let module = try tree.files.filter { Plan.target(of: $0) == target }.compactMap { path in
        try Language(path: path).map {
          Source(path: path, text: String(decoding: try tree.original(path), as: UTF8.self), $0)
        }
      }
      let cases = Mutator.cases(of: module)
      for source in module where chosen.contains(source.path) {
        sources[source.path] = source
        let hash = Hash.of(try tree.original(source.path))
        all += Mutator.mutants(of: source, cases: cases).map {
          Candidate(mutant: $0, target: target, hash: hash)
        }
      }
    }
    self.all = all
    self.sources = sources
  }

  /// So many of them, by lot; each target has its share if it has a weight. The same seed draws the same
  /// ones.
  func sample(_ count: Int, seed: UInt64, isWeighted: Bool) -> [Candidate] {
    let order = all.indices.sorted { rank($0, seed) < rank($1, seed) }
    guard isWeighted else { return order.prefix(count).sorted().map { all[$0] } }
    let weights = Plan.targets.map(\.weight), sum = weights.reduce(0, +)
    var drawn: [Int] = [], credit = 0
    for target in Plan.targets.indices {
      credit += weights[target] * count
      let share = credit / sum
      credit -= share * sum
      drawn += order.filter { all[$0].target == target }.prefix(share)
    }
    return drawn.sorted().map { all[$0] }
  }

  private func rank(_ index: Int, _ seed: UInt64) -> UInt64 {
    Hash.of("\(seed) \(all[index].mutant.path) \(all[index].mutant.name)".utf8)
  }
}
