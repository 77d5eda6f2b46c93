import Streams

extension OperatorCase {
  /// The eraser adds nothing: what it wraps keeps its laws, or not.
  static let erased: [OperatorCase] = [
    OperatorCase("eraseToAnyPublisher", .passesThrough) { $0.eraseToAnyPublisher() },
    OperatorCase(
      "eraseToAnyPublisher of prefix(while:)", .stops(at: 50), .forwardsSurplus, .named("PrefixWhile")
    ) {
      $0.prefix { $0 < 50 }.eraseToAnyPublisher()
    },
  ]
}
