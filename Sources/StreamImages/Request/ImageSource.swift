package import Foundation

/// Where a picture comes from.
package enum ImageSource: Sendable, Hashable {
  /// From nowhere: the request was made of a URL that is none.
  case missing
  case address(DataRequest)
  case data(NamedSource<DataSupply>)
  case image(NamedSource<ImageSupply>)

  package var isMissing: Bool { self == .missing }
}

/// Hands over bytes, piece by piece; returns when all were.
package typealias DataSupply = @Sendable (_ take: (Data) throws -> Void) async throws -> Void

package typealias ImageSupply = @Sendable () async throws -> Image

/// A closure, and the name it goes by: closures of one name are taken for the same.
package struct NamedSource<Supply: Sendable>: Sendable, Hashable {
  package let name: String
  package let supply: Supply

  package init(_ name: String, _ supply: Supply) {
    self.name = name
    self.supply = supply
  }

  package static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ImageSource: CustomStringConvertible {
  /// Without secrets; of a closure its name only.
  package var description: String {
    switch self {
    case .missing: "no URL"
    case .address(let request): request.description
    case .data(let source): "data \"\(source.name)\""
    case .image(let source): "image \"\(source.name)\""
    }
  }
}
