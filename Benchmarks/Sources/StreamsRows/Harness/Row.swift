/// One line of the table: a workload whose cost for each value is asked for.
struct Row: Sendable {
  /// What scripts call it: `b1`.
  let name: String
  let title: String
  /// Sends about `count` values, and answers a checksum so that nothing is optimised away.
  let run: @Sendable (_ count: Int) -> Int

  init(_ name: String, _ title: String, _ run: @escaping @Sendable (_ count: Int) -> Int) {
    self.name = name
    self.title = title
    self.run = run
  }
}
