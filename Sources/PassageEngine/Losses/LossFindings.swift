internal import PassageDiagnostics

/// Describes the losses.
struct LossFindings {
  let losses: [ValueLoss]

  /// How many losses a message names; the JSON of the plan and the report has all of them.
  private static let shown = 12

  /// One warning for each reason of a loss: `RUN-080`, `RUN-081`, `RUN-082`, `RUN-088`.
  var warnings: Diagnostics {
    Diagnostics(
      [
        finding(
          .becameNil, "RUN-080", "values became nil",
          remedy:
            "use an expression that can read them, or one that fails for what it cannot read: "
            + "parseDate and parseNumber fail where CAST gives nil"),
        finding(
          .unread, "RUN-081", "no entity mapping reads these values",
          remedy: "map them, or allow their loss (--losses)"),
        finding(
          .emptied, "RUN-082", "links became empty",
          reason: "the objects they led to were filtered out, removed or quarantined, or merged "
            + "into one that leads to another object",
          remedy: "migrate those objects, or allow the loss (--losses)"),
        finding(
          .narrowed, "RUN-088", "numbers do not fit into their new attributes",
          reason: "its type has a smaller range, or fewer digits",
          remedy: "choose a wider type, use an expression that gives smaller numbers, or allow the "
            + "loss (--losses)"),
      ].compactMap(\.self))
  }

  /// Says which mappings may lose values that a call would refuse, and cannot, because nobody knows them:
  /// `RUN-090`.
  ///
  /// - Parameters:
  ///   - mappings: the names of the entity mappings whose losses are not known.
  ///   - isUseUnknown: whether the policy of one of them does not say what it reads.
  ///   - areLinksDecided: whether the policy of one of them relates its objects.
  static func unknown(
    _ mappings: [String], isUseUnknown: Bool, areLinksDecided: Bool
  ) -> Diagnostic {
    let names = mappings.prefix(shown).map { "“\($0)”" }.joined(separator: ", ")
    let more = mappings.count > shown ? " and \(mappings.count - shown) more" : ""
    let remedies = [
      isUseUnknown ? "name in “readProperties” of the policy what it reads" : nil,
      areLinksDecided ? "leave createRelationships out of its “hooks”" : nil,
    ].compactMap(\.self)
    let deeds = [isUseUnknown ? "read" : nil, areLinksDecided ? "relate" : nil]
    return Diagnostic(
      "RUN-090", "losses that are not known are not refused: \(names)\(more)", severity: .warning,
      reason: "the policies of these entity mappings decide what they "
        + deeds.compactMap(\.self).joined(separator: ", or "),
      remedy: remedies.joined(separator: ", and "))
  }

  private func finding(
    _ reason: ValueLoss.Reason, _ code: String, _ message: String, reason why: String? = nil,
    remedy: String
  ) -> Diagnostic? {
    let found = losses.filter { $0.reason == reason && $0.count != nil }
    guard !found.isEmpty else { return nil }
    return Diagnostic(
      code, "\(message): \(Self.list(found))", severity: .warning, reason: why, remedy: remedy)
  }

  /// `“Note.text” 12, “Note.date” 3 and 4 more`.
  static func list(_ losses: [ValueLoss]) -> String {
    let parts = losses.prefix(shown).map { loss in
      "“\(loss.name)” \(loss.count.map { "\($0)" } ?? "not counted")"
    }
    let more = losses.count > shown ? " and \(losses.count - shown) more" : ""
    return parts.joined(separator: ", ") + more
  }

  /// The names in the form that `--losses` takes.
  private static func names(_ losses: [ValueLoss], after allowed: [String]) -> String {
    var names = allowed
    for loss in losses where !names.contains(loss.name) { names.append(loss.name) }
    return names.joined(separator: ",")
  }

  /// The error that values would be lost that may not be.
  ///
  /// - Parameters:
  ///   - allowed: the losses that the call allows.
  ///   - path: the finished store whose record lists the losses; `nil` for losses of a run.
  ///   - date: when that store was made.
  ///   - unlisted: how many more the record counts without naming them.
  static func refusal(
    _ losses: [ValueLoss], allowed: AllowedLosses, madeAt path: String? = nil,
    date: String? = nil, unlisted: Int64 = 0
  ) -> MigrationError {
    let reasons: [(ValueLoss.Reason, String)] = [
      (.unread, "values that no entity mapping reads:"), (.becameNil, "values that become nil:"),
      (.emptied, "links that become empty:"),
      (.narrowed, "numbers that do not fit into their new attributes:"),
    ]
    var parts = reasons.compactMap { reason, text -> String? in
      let found = losses.filter { $0.reason == reason }
      return found.isEmpty ? nil : "\(text) \(list(found))"
    }
    if unlisted > 0 { parts.append("the record counts \(unlisted) more without naming them") }
    let names = unlisted > 0 ? "*.*" : names(losses, after: allowed.names ?? [])
    if let path {
      return MigrationError(
        .valuesLost,
        Diagnostic(
          "RUN-083", "values were lost when the finished store was made",
          at: SourceLocation(file: path),
          reason: "\(date.map { "on \($0): " } ?? "")\(parts.joined(separator: "; "))",
          remedy: "change the mapping models and write to another file, or allow it "
            + "(--losses \(ShellText.word(names)))"),
        diskState: "nothing was changed")
    }
    return MigrationError(
      .valuesLost,
      Diagnostic(
        "RUN-083", "values would be lost", reason: parts.joined(separator: "; "),
        remedy:
          "change the mapping models, or allow it (--losses \(ShellText.word(names)))"
      ))
  }
}
