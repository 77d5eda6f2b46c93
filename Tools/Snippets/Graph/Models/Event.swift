/// A model, of no library of streams.
public enum Event<Payload> {
  case opened(Payload)
  case closed
}
