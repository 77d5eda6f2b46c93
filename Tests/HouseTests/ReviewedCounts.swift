/// How often each module asks to be believed. A number changes only when somebody has read the new place, and agrees.
let reviewedCounts: [Vouched: [String: Int]] = [
  .uncheckedSendable: [
    "ImageCodecs": 1, "StreamImages": 2, "Streams": 27, "StreamsFoundation": 4, "StreamsTesting": 6,
  ],
  .unsafeIsolation: [:],
  .transfer: ["Streams": 4, "StreamsFoundation": 5],
]
