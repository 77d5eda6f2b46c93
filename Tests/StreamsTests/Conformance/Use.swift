import Streams

/// One declaration of Combine's interface, used so that this compiles only if it is there: with its name, its labels,
/// no more constraints than it should have, and its exact type.
///
/// A use is written for a generic owner, so that nothing but the stated constraints can make it compile. It never runs.
struct Use {
  let declaration: String

  init(_ declaration: String, _ use: @autoclosure () -> Any) { self.declaration = declaration }

  /// With a call that leaves out the arguments that have defaults.
  init<Call>(_ declaration: String, _ use: @autoclosure () -> Any, defaults call: Call) {
    self.declaration = declaration
  }
}

/// Uses that share their generic parameters.
protocol Family {
  /// Operators that every publisher has.
  @Uses static var operators: [Use] { get }
  /// Operators that one type has instead of those.
  @Uses static var specialised: [Use] { get }
  @Uses static var types: [Use] { get }
  /// Initialisers, properties, methods and conformances of the types.
  @Uses static var members: [Use] { get }
}

extension Family {
  static var operators: [Use] { [] }
  static var specialised: [Use] { [] }
  static var types: [Use] { [] }
  static var members: [Use] { [] }
}

@resultBuilder
enum Uses {
  static func buildBlock(_ uses: Use...) -> [Use] { uses }
}

// MARK: What a type must be

func publishes<P: Publisher>(_: P.Type, _: P.Output.Type, _: P.Failure.Type) {}
func subscribes<S: Subscriber>(_: S.Type, _: S.Input.Type, _: S.Failure.Type) {}
func equates<T: Equatable>(_: T.Type) {}
func hashes<T: Hashable>(_: T.Type) {}
func encodes<T: Encodable>(_: T.Type) {}
func decodes<T: Decodable>(_: T.Type) {}
func describes<T: CustomStringConvertible & CustomReflectable & CustomPlaygroundDisplayConvertible>(_: T.Type)
{}
