import GraphNetwork
import Streams

func retries() {
  let policy = RetryPolicy(limit: 3)
  print("retries:", Array(repeating: "again", count: policy.limit).joined(separator: " "))
  Fail<Int, any Error>(error: CancellationError()).retry(policy.limit).replaceError(with: 7)
    .sink { print("retries:", $0) }.cancel()
}
