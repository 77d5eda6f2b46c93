/// The operations of a type, each beside what it does to a model.
public struct Operations<State, Model> {
  /// An operation with an argument.
  struct Operation {
    let text: String
    let run: (State) -> any Equatable
    let model: (inout Model) -> any Equatable
  }

  /// For each name, the operation with each of its arguments.
  var groups: [[Operation]] = []

  /// Adds an operation that has an argument, one of `arguments`.
  ///
  /// - Parameters:
  ///   - name: Its name in a report.
  ///   - arguments: What it is called with.
  ///   - body: Runs it.
  ///   - model: What it does to the model, and returns, if nothing runs beside it.
  public mutating func operation<Argument, Result: Equatable>(
    _ name: String, _ arguments: some Sequence<Argument>, _ body: @escaping (State, Argument) -> Result,
    model: @escaping (inout Model, Argument) -> Result
  ) {
    groups.append(
      arguments.map { argument in
        Operation(
          text: "\(name)(\(argument))", run: { body($0, argument) }, model: { model(&$0, argument) })
      })
  }

  /// Adds an operation that has no argument.
  public mutating func operation<Result: Equatable>(
    _ name: String, _ body: @escaping (State) -> Result, model: @escaping (inout Model) -> Result
  ) {
    groups.append([Operation(text: "\(name)()", run: { body($0) }, model: { model(&$0) })])
  }

  /// Adds an operation that has an argument, and returns nothing.
  public mutating func operation<Argument>(
    _ name: String, _ arguments: some Sequence<Argument>, _ body: @escaping (State, Argument) -> Void,
    model: @escaping (inout Model, Argument) -> Void
  ) {
    operation(name, arguments) { state, argument in
      body(state, argument)
      return Nothing()
    } model: { state, argument in
      model(&state, argument)
      return Nothing()
    }
  }

  /// Adds an operation that has no argument, and returns nothing.
  public mutating func operation(
    _ name: String, _ body: @escaping (State) -> Void, model: @escaping (inout Model) -> Void
  ) {
    operation(name) { state in
      body(state)
      return Nothing()
    } model: { state in
      model(&state)
      return Nothing()
    }
  }
}

/// The result of an operation that has none.
private struct Nothing: Equatable, CustomStringConvertible {
  var description: String { "done" }
}
