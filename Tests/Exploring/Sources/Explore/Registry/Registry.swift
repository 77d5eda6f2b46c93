import Streams

extension Explored {
  /// Everything that has something to keep between two calls.
  static var all: [Explored] {
    subjects + sources + relays + folds + joins + concatenations + flattenings + buffers + shared + scheduled
      + beyond + beyondSources + beyondStages + beyondShared + chains
  }
}
