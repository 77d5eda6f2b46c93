/// Runs `body`, and cancels it when the time is over.
///
/// - Throws: The error of `body`, or ``Refusal/late``.
func within<Value: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () async throws(Refusal) -> Value
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
    defer { group.cancelAll() }
    return await group.next() ?? nil
  }
  return try (result ?? .failure(.late)).get()
}
