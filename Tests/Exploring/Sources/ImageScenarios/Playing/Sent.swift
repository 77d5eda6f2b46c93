/// What is handed to a task here stays on the one thread that there is.
struct Sent<Value>: @unchecked Sendable {  // see above
  let value: Value
  init(_ value: Value) { self.value = value }
}
