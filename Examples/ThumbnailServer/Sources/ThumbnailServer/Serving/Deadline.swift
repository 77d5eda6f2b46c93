/// Runs `body`, and cancels it when the time is over, or when `hangUp` returns because the client has disconnected.
///
/// - Throws: The error of `body`, ``Refusal/late``, or ``Refusal/clientGone``.
func within<Value: Sendable>(
  _ limit: Duration, or hangUp: (@Sendable () async -> Void)?,
  _ body: @escaping @Sendable () async throws(Refusal) -> Value
) async throws(Refusal) -> Value {
  let result = await withTaskGroup(of: Result<Value, Refusal>?.self) { group in
    group.addTask {
      do throws(Refusal) { return .success(try await body()) } catch { return .failure(error) }
    }
    group.addTask {
      // `nil` if the body was faster.
      let isOver = (try? await Task.sleep(for: limit)) != nil
      return isOver ? .failure(.late) : nil
    }
    if let hangUp {
      group.addTask {
        await hangUp()
        return Task.isCancelled ? nil : .failure(.clientGone)
      }
    }
    defer { group.cancelAll() }
    return await group.next() ?? nil
  }
  return try (result ?? .failure(.late)).get()
}
