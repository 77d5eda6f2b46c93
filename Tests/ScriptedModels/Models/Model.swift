/// What an operator does, said as simply as possible: a state that stimuli change, and what is owed in that state.
///
/// A model knows nothing of threads, nesting, queues or subscriptions. Whoever plays it takes ``next()`` until there
/// is nothing, and tells it meanwhile what its downstream does with each thing it gets.
public protocol Model {
  var ledger: Ledger { get set }

  mutating func take(_ stimulus: Stimulus)

  /// Takes out what is to be sent next, if anything.
  mutating func next() -> Output?
}
