/// Every operator with memory, and its model.
public enum Registry {
  public static var all: [ModelledOperator] {
    mapping + filtering + folding + combining + flattening + failing + buffering + timing + sharing
  }

  public static subscript(name: String) -> ModelledOperator? { all.first { $0.name == name } }
}
