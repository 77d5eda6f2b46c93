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
  ]
}
