import Streams
import StreamsExtras
import StreamsTesting

extension OperatorCase {
  /// What is made of other operators: it has to keep their laws, too.
  static let beyondConverting: [OperatorCase] = [
    OperatorCase("mapToValue", .sends([7, 7, 7]), .passing(7), .passesThrough) { $0.mapToValue(7) },
    OperatorCase("mapToVoid", .sends([0, 0, 0]), .passing(0), .passesThrough) {
      $0.mapToVoid().map { _ in 0 }
    },
    OperatorCase("mapMany", .passesThrough) { $0.map { [$0] }.mapMany { $0 }.map { $0[0] } },
    OperatorCase("filterMany", .passesThrough) { $0.map { [$0] }.filterMany { _ in true }.map { $0[0] } },
    OperatorCase("toggle", .sends([0, 0, 0]), .passing(0), .passesThrough) {
      $0.map { $0 > 0 }.toggle().map { $0 ? 1 : 0 }
    },
    OperatorCase("setOutputType", .answers(), .zeroDemandIsHarmless, .named("IgnoreOutput")) {
      $0.ignoreOutput().setOutputType(to: Int.self)
    },
    OperatorCase("ignoreOutput(setOutputType:)", .answers(), .zeroDemandIsHarmless, .named("IgnoreOutput")) {
      $0.ignoreOutput(setOutputType: Int.self)
    },
    OperatorCase("mapToResult", putsAnother, .named("Catch")) {
      $0.mapToResult().map { (try? $0.get()) ?? 0 }
    },
    OperatorCase("ignoreFailure", .named("Catch"), finishes) { $0.ignoreFailure() },
    OperatorCase("ignoreFailure(setFailureType:)", .named("Catch"), finishes) {
      $0.ignoreFailure(setFailureType: TestFailure.self)
    },
    OperatorCase("catchAndReturn", putsAnother, .named("ReplaceError")) {
      $0.catchAndReturn(0)
    },
    OperatorCase("onErrorResume", .named("Catch")) {
      $0.onErrorResume(CancellationError.self) { _ in Empty() }
    },
    OperatorCase("defaultIfEmpty", .coda(1), .named("ReplaceEmpty")) {
      $0.defaultIfEmpty(0)
    },
    OperatorCase("values()", .zeroDemandIsHarmless, endsAsValue) {
      $0.materialize().values().setFailureType(to: TestFailure.self)
    },
    OperatorCase("failures()", .answers(), .zeroDemandIsHarmless, endsAsValue) {
      $0.materialize().failures().map { _ in 0 }
    },
    OperatorCase("removeDuplicates(at:)", .needsDistinctValues, .forwardsSurplus) {
      $0.removeDuplicates(at: \.description)
    },
    OperatorCase("removeDuplicates(on:)", .needsDistinctValues, .forwardsSurplus) {
      $0.removeDuplicates(on: { $0 })
    },
    OperatorCase("takeLast", .sends([2, 3]), answersAtEnd, .zeroDemandIsHarmless) { $0.takeLast(2) },
    OperatorCase("take(during:)", .zeroDemandIsHarmless) { upstream in
      upstream.take(during: Lifetime.Token.endless.lifetime)
    },
    OperatorCase("onTerminate", .zeroDemandIsHarmless, .named("DoFinally")) { $0.onTerminate {} },
    OperatorCase("startWith", .sends([9, 1, 2, 3]), .prelude(1), .zeroDemandIsHarmless) { $0.startWith(9) },
    .source("repeating", .sends([4, 4]), .zeroDemandIsHarmless) { Publishers.repeating(4, count: 2) },
    .source("range", .sends([1, 2, 3]), .zeroDemandIsHarmless) { Publishers.range(1..<4) },
  ]

  private static let putsAnother = OperatorTrait.deviates(
    .c07, because: "it puts another publisher in the failure's place")
  private static let endsAsValue = OperatorTrait.deviates(
    .c07, because: "the end before it is a value, which has to be asked for")
  private static let answersAtEnd = OperatorTrait { $0.answersAtEnd = true }
  private static let finishes = OperatorTrait { $0.failing = .finished }
}
