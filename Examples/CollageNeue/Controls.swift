/// What the interface allows, as far as it depends on how many photographs there are.
struct Controls: Equatable, Sendable {
  static let maximumCount = 6

  let photoCount: Int

  var canAdd: Bool { photoCount < Self.maximumCount }
  var canClear: Bool { photoCount > 0 }
  /// An odd number would leave a hole in the collage.
  var canSave: Bool { photoCount > 0 && photoCount.isMultiple(of: 2) }
}

extension Controls: CustomStringConvertible {
  /// In brackets what is disabled.
  var description: String {
    let buttons = [("add", canAdd), ("save", canSave), ("clear", canClear)]
    let title = photoCount == 0 ? "A new collage" : "\(photoCount) photo\(photoCount == 1 ? "" : "s")"
    return ([title] + buttons.map { $1 ? $0 : "(\($0))" }).joined(separator: "  ")
  }
}
