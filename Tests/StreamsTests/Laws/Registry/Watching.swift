import Streams
import StreamsTesting

extension OperatorCase {
  static let watching: [OperatorCase] = [
    OperatorCase("handleEvents", .zeroDemandIsHarmless, .forwardsSurplus, .named("HandleEvents")) {
      $0.handleEvents(
        receiveSubscription: { _ in }, receiveOutput: { _ in }, receiveCompletion: { _ in },
        receiveCancel: {}, receiveRequest: { _ in })
    },
    OperatorCase(
      "handleEvents without closures", .zeroDemandIsHarmless, .forwardsSurplus, .named("HandleEvents")
    ) {
      $0.handleEvents()
    },
    OperatorCase("print", .zeroDemandIsHarmless, .forwardsSurplus, .named("Print")) {
      $0.print("law", to: Nowhere())
    },
    OperatorCase("breakpoint", .passesThrough) {
      $0.breakpoint(receiveSubscription: { _ in false }, receiveOutput: { _ in false })
    },
    OperatorCase(
      "breakpointOnError", .passesThrough,
      assembling: { stand in
        stand.upstream(failing: Never.self).breakpointOnError()
      }),
  ]
}

/// Where printed text goes that nobody reads.
private struct Nowhere: TextOutputStream {
  func write(_: String) {}
}
