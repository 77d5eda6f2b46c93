import StreamsTesting

/// One mistake that an operator can make, and the laws that must notice it.
enum Fault: String, CaseIterable, Sendable {
  case subscribesTwice, subscribesLater, sharesItsState, changesItsIdentifier, handsDownIntruders
  case speaksUnasked, asksForTooMuch, ignoresAnswers, losesNestedRequests, requestsAfterCancelling
  case requestsAfterCompleting, asksForNothing, asksAgainAfterUnlimited, deliversSurplus, toleratesZeroDemand
  case drainsRecursively
  case completesTwice, neverCompletes, holdsCompletionBack, completesBeforeCancelling,
    neverCancelsWhenThrowing
  case deliversAfterCompletion, deliversSecondCompletion, deliversEarlyValues, deliversEarlyCompletions
  case neverCancels, cancelsTwice, cancelsAfterCompletion, completesOnCancelling, isDeafToCancellation
  case keepsDownstream, keepsUpstream, keepsItself

  var breaks: [Law] {
    switch self {
    case .subscribesTwice: [.c01]
    case .subscribesLater: [.c02]
    case .sharesItsState: [.c23]
    case .changesItsIdentifier: [.p4]
    case .handsDownIntruders: [.h24]
    case .speaksUnasked: [.c03, .c04, .c06]
    case .asksForTooMuch: [.c04, .c05]
    case .ignoresAnswers: [.c05]
    case .losesNestedRequests: [.c15]
    case .requestsAfterCancelling: [.c11]
    case .requestsAfterCompleting: [.c12]
    case .asksForNothing, .asksAgainAfterUnlimited: [.c22]
    case .deliversSurplus: [.h28]
    case .toleratesZeroDemand: [.p3]
    case .drainsRecursively: [.c05, .r1]
    case .completesTwice, .neverCompletes: [.c06]
    case .holdsCompletionBack: [.c07]
    case .completesBeforeCancelling: [.p1, .p2]
    case .neverCancelsWhenThrowing: [.p1]
    case .deliversAfterCompletion: [.h25]
    case .deliversSecondCompletion: [.h26]
    case .deliversEarlyValues: [.h29]
    case .deliversEarlyCompletions: [.h30]
    case .neverCancels: [.c09, .c13, .c14]
    case .cancelsTwice: [.c09]
    case .cancelsAfterCompletion: [.c10]
    case .completesOnCancelling: [.c08, .c13, .c14]
    case .isDeafToCancellation: [.h27, .c09]
    case .keepsDownstream: [.c16, .c17, .c18]
    case .keepsUpstream: [.c19, .c20]
    case .keepsItself: [.c21]
    }
  }
}
