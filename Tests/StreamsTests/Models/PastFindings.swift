import ScriptedModels

/// Scripts in which an operator and its model have parted, at their shortest.
enum PastFindings {
  static let all: [(name: String, steps: [Step])] = [
    // Who cancelled on arrival heard the end all the same.
    (
      "share",
      [
        .line(0, .fail),
        .onDelivery(.cancel),
        .join,
      ]
    ),
    (
      "CurrentValueSubject",
      [
        .line(0, .fail),
        .onDelivery(.cancel),
        .join,
      ]
    ),
    // A stream that had ended while it was being connected, for nobody any more, was connected again.
    (
      "multicast, autoconnect",
      [
        .line(0, .value(0)),
        .onDelivery(.answer(.some(1))),
        .onDelivery(.cancel),
        .onRequest(.value(5)),
        .cancel(0),
        .onSubscription(.fail),
        .join,
        .join,
      ]
    ),
  ]
}
