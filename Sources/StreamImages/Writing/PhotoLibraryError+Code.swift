extension PhotoLibraryError {
  /// A stable identifier for logs and metrics: `library.` and the name of the case, without its values.
  ///
  /// Codes do not change between versions. <doc:/Guides/errors> lists them.
  public var code: String {
    switch self {
    case .notAuthorized: "library.not-authorized"
    case .noPicturesDirectory: "library.no-pictures-directory"
    case .badAlbumName: "library.bad-album-name"
    case .diskFull: "library.disk-full"
    case .systemError: "library.system-error"
    }
  }
}

extension PhotoWriter.Error {
  /// A stable identifier for logs and metrics: `writer.` and the name of the case, without its values.
  ///
  /// An error of a library or a codec has the code of that error. Codes do not change between versions.
  /// <doc:/Guides/errors> lists them.
  public var code: String {
    switch self {
    case .couldNotSavePhoto: "writer.could-not-save-photo"
    case .generic(let error as PhotoLibraryError): error.code
    case .generic(let error as ImageCodecError): error.code
    case .generic: "writer.generic"
    }
  }
}
