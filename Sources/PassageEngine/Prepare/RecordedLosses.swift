internal import PassageDiagnostics
internal import PassageStores

/// The losses that a finished store records for the steps of the call.
///
/// The losses that a call allows do not affect the result: a store that was made while everything
/// was allowed is the same. So a call that allows less is judged by the recorded losses.
struct RecordedLosses {
  let finished: StoreMigration.Finished
  let allowed: AllowedLosses

  /// - Throws: `RUN-083` when there is a loss that the call does not allow. Nothing is changed.
  func judge() throws {
    guard allowed != .all else { return }
    let losses = finished.steps.enumerated().flatMap { index, step in
      step.losses.map { loss in
        ValueLoss(
          reason: ValueLoss.Reason(rawValue: loss.kind) ?? .unread, step: index + 1, mapping: "",
          entity: loss.entity, property: loss.property, count: loss.values)
      }
    }
    let refused = losses.filter { !allowed.allows($0) }
    let unlisted = finished.steps.reduce(Int64(0)) { $0.saturatingAdd($1.unlistedLosses) }
    guard !refused.isEmpty || unlisted > 0 && !allowed.allowsAnything else { return }
    throw LossFindings.refusal(
      refused, allowed: allowed, madeAt: finished.path,
      date: finished.record?.timeText, unlisted: allowed.allowsAnything ? 0 : unlisted)
  }
}
