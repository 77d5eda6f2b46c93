import CCodecs

/// How an image is blended over another. Formulas are those of the W3C's Compositing and Blending.
public enum BlendMode: String, Sendable, Hashable, CaseIterable {
  /// Mixes the colors. Both images are kept.
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight, softLight
  /// Subtracts the colors. Both images are kept.
  case difference, exclusion

  /// A Porter-Duff operator. The source is the upper image, the destination the lower one.
  case clear, copy, sourceIn, sourceOut, sourceAtop
  /// A Porter-Duff operator.
  case destinationOver, destinationIn, destinationOut, destinationAtop
  /// Keeps what only one image covers; adds both images.
  case exclusiveOr, plusLighter

  var code: CodecBlendMode {
    switch self {
    case .normal: .normal
    case .multiply: .multiply
    case .screen: .screen
    case .overlay: .overlay
    case .darken: .darken
    case .lighten: .lighten
    case .colorDodge: .colorDodge
    case .colorBurn: .colorBurn
    case .hardLight: .hardLight
    case .softLight: .softLight
    case .difference: .difference
    case .exclusion: .exclusion
    case .clear: .clear
    case .copy: .copy
    case .sourceIn: .sourceIn
    case .sourceOut: .sourceOut
    case .sourceAtop: .sourceAtop
    case .destinationOver: .destinationOver
    case .destinationIn: .destinationIn
    case .destinationOut: .destinationOut
    case .destinationAtop: .destinationAtop
    case .exclusiveOr: .exclusiveOr
    case .plusLighter: .plusLighter
    }
  }

  /// Whether pixels under transparent parts of the source change too.
  var reachesBeyondSource: Bool {
    switch self {
    case .clear, .copy, .sourceIn, .sourceOut, .destinationIn, .destinationAtop: true
    default: false
    }
  }

  /// Whether opaque images can become transparent.
  var canCutOpaque: Bool { reachesBeyondSource || self == .destinationOut || self == .exclusiveOr }
}
