/// In place of `@exclusivity(unchecked)`: a variable that several threads access without a lock or an atomic of its own.
/// Two accesses that nothing orders are a data race.
@propertyWrapper
public struct Plain<Value> {
  @usableFromInline var value: Value
  @usableFromInline let variable: Int
  @usableFromInline let file: StaticString
  @usableFromInline let line: Int

  @inlinable
  public init(wrappedValue: Value, file: StaticString = #file, line: Int = #line) {
    value = wrappedValue
    variable = Explorer.shared.newVariable()
    self.file = file
    self.line = line
  }

  /// All accesses so far happen before what the running fiber does from now on.
  @inlinable
  public func renew() { Explorer.shared.renew(variable) }

  @inlinable
  public var wrappedValue: Value {
    @inline(__always) _read {
      Explorer.shared.read(variable, "\(file):\(line)")
      yield value
    }
    @inline(__always) _modify {
      Explorer.shared.write(variable, "\(file):\(line)")
      yield &value
    }
  }
}

/// A variable without a value, for tests: its accesses are checked.
public struct Sample: Sendable {
  private let variable = Explorer.shared.newVariable()
  private let name: StaticString

  public init(_ name: StaticString) { self.name = name }

  public func read() { Explorer.shared.read(variable, "\(name)") }
  public func write() { Explorer.shared.write(variable, "\(name)") }
}
