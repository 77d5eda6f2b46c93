import StreamsTesting

extension OperatorCase {
  /// Every operator, source and subject under law. A new one is one entry in the list of its family.
  static let all: [OperatorCase] = [
    mapping, coding, filtering, deduplicating, dropping, limiting, combining, zipping, merging, flattening,
    switching, folding, tryFolding, finding, grouping, buffering, failing, sharing, timing, pacing, watching,
    erased, sources, subjects, chains, beyondCombining, beyondFlattening,
    beyondFiltering, beyondFailing, beyondTiming, beyondSharing, beyondWatching,
    beyondAwaiting, beyondPacing, beyondConverting, beyondRelaying,
  ].flatMap { $0 }

  static func named(_ name: String) -> OperatorCase? { all.first { $0.name == name } }
}

/// What closures under law throw.
func thrown(if isTime: Bool) throws {
  if isTime { throw TestFailure.thrown }
}
