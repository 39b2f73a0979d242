extension MigrationPage {
  /// The page as HTML: what failed first.
  ///
  /// - Complexity: O(n log n) in the entities, mappings and diagnostics.
  package var html: String {
    PageDocument(
      title: "\(storeName): \(outcome.words)", toolVersion: toolVersion, timeText: timeText,
      command: command, head: head,
      sections: [
        PageSection(id: "failure", title: "What failed", content: failure?.content ?? ""),
        PageSection(id: "comparison", title: "Comparison", content: comparisonContent),
        PageSection(id: "flow", title: "Flow of objects", content: flowContent),
        PageSection(id: "properties", title: "Changed properties", content: changesContent),
        PageSection(id: "passes", title: "Passes", content: passesContent),
        PageSection(id: "account", title: "Account of objects", content: accountContent),
        PageSection(id: "losses", title: "Losses", content: lossesContent),
        PageSection(id: "warnings", title: "Warnings", content: findingsContent),
        PageSection(id: "record", title: "Record of the store", content: recordContent),
      ]
    ).html
  }

  /// Whether a file that begins with these bytes is such a page, which another one may replace.
  package static func isPage(_ prefix: [UInt8]) -> Bool {
    let text = String(decoding: prefix.prefix(Self.prefixBytes), as: UTF8.self)
    return text.hasPrefix("<!doctype html>")
      && text.contains("<meta name='generator' content='Passage ")
  }

  /// The number of bytes from which a page is recognised.
  package static let prefixBytes = 512
}
