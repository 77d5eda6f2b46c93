import Streams
import StreamsTesting

extension OperatorCase {
  static let sources: [OperatorCase] = [
    .source("Just", .sends([5]), .named("Just")) { Just(5) },
    .source("Empty", .sends([]), .zeroDemandIsHarmless, .named("Empty")) { Empty<Int, TestFailure>() },
    .source("Fail", .sends([]), .fails(.scripted), .zeroDemandIsHarmless, .named("Empty")) {
      Fail<Int, TestFailure>(error: .scripted)
    },
    .source("Future", .sends([5]), .named("Future")) { Future<Int, TestFailure> { $0(.success(5)) } },
    .source("Future that failed", .sends([]), .fails(.scripted)) {
      Future<Int, TestFailure> { $0(.failure(.scripted)) }
    },
    .source("Sequence.publisher", .sends([1, 2, 3]), .zeroDemandIsHarmless) { [1, 2, 3].publisher },
    .source("Sequence.publisher of nothing", .sends([]), .zeroDemandIsHarmless, .named("Empty")) {
      [Int]().publisher
    },
    .source("Optional.publisher", .sends([5]), .named("Optional")) { Optional(5).publisher },
    .source("Optional.publisher of nothing", .sends([]), .zeroDemandIsHarmless, .named("Empty")) {
      Int?.none.publisher
    },
    .source("Result.publisher", .sends([5]), .named("Once")) {
      Result<Int, TestFailure>.success(5).publisher
    },
    .source(
      "Result.publisher that failed", .sends([]), .fails(.scripted), .zeroDemandIsHarmless, .named("Empty")
    ) {
      Result<Int, TestFailure>.failure(.scripted).publisher
    },
    .source("Record", .sends([1, 2, 3]), .zeroDemandIsHarmless, .named("Cancelled Events")) {
      Record<Int, TestFailure>(output: [1, 2, 3], completion: .finished)
    },
    .source(
      "Record that failed", .sends([1, 2]), .fails(.scripted), .zeroDemandIsHarmless,
      .named("Cancelled Events")
    ) {
      Record<Int, TestFailure>(output: [1, 2], completion: .failure(.scripted))
    },
    .source("Record of nothing", .sends([]), .zeroDemandIsHarmless, .named("Empty")) {
      Record<Int, TestFailure>(output: [], completion: .finished)
    },
    .source("Deferred", .sends([5]), .named("Just")) { Deferred { Just(5) } },
    OperatorCase("Deferred upstream", .passesThrough) { upstream in Deferred { upstream } },
  ]
}
