import Streams
import StreamsTesting

extension OperatorCase {
  /// The eraser adds nothing: what it wraps keeps its laws, or not.
  static let erased: [OperatorCase] = [
    OperatorCase("eraseToAnyPublisher", .passesThrough) { $0.eraseToAnyPublisher() },
    OperatorCase(
      "eraseToAnyPublisher of prefix(while:)", .stops(at: 50), .forwardsSurplus, .named("PrefixWhile")
    ) {
      $0.prefix { $0 < 50 }.eraseToAnyPublisher()
    },
    OperatorCase("eraseToAnyPublisher of count", .answers(3), .answersNothing, .named("Count")) {
      $0.count().eraseToAnyPublisher()
    },
    OperatorCase(
      "eraseToAnyPublisher of zip", .takesOneOfEach,
      .begins(.say(upstream: 1, 0), .say(upstream: 1, 0), .say(upstream: 1, 0)), .named("Zip"),
      pair: { $0.zip($1, &+).eraseToAnyPublisher() }),
  ]
}
