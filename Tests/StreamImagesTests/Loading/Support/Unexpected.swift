import Testing

/// Fails a test that got something else than it can go on with.
func unexpected(_ value: Any?, at location: SourceLocation = #_sourceLocation) {
  Issue.record("unexpected: \(String(describing: value))", sourceLocation: location)
}
