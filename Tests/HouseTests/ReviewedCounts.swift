/// How often each module asks to be believed. A number changes only when somebody has read the new place, and agrees.
let reviewedCounts: [Vouched: [String: Int]] = [
  .uncheckedSendable: [
    "ImageCodecs": 1, "StreamImages": 2, "Streams": 26, "StreamsFoundation": 4, "StreamsTesting": 5,
  ],
  .unsafeIsolation: [:],
  .transfer: ["Streams": 3, "StreamsFoundation": 3],
]
