internal import PassageDiagnostics

extension MigrationPage {
  /// The properties that change, before and after, side by side.
  var changesContent: Markup {
    let changed = steps.flatMap(\.changes).filter { !$0.rows.isEmpty }
    guard !changed.isEmpty else { return "" }
    let shown = changed.prefix(Self.openChanges).map(\.markup).joined()
    let rest = changed.dropFirst(Self.openChanges)
    guard !rest.isEmpty else { return shown }
    let count = NumberText.count(Int64(rest.count), "further mapping")
    return shown
      + "<details><summary>\(count)</summary>\(rest.map(\.markup).joined())</details>"
  }

  /// So many mappings are shown without unfolding.
  private static let openChanges = 24
}

extension MigrationPage.ChangedEntity {
  fileprivate var markup: Markup {
    let ends: Markup =
      "<bdi>\(source ?? "nothing")</bdi> → <bdi>\(destination ?? "nothing")</bdi>"
    let lines = rows.map(\.markup).joined()
    let count = NumberText.count(Int64(unchangedCount), "further property", "further properties")
    let rest: Markup =
      unchangedCount > 0 ? "<p class='rest'>\(count) taken over unchanged.</p>" : ""
    return """
      <article class='change'><h3>\(ends) <span class='by'>\(mapping)</span></h3>\
      <div class='scroll'><table class='sides'><thead><tr><th>before</th><th>after</th>\
      <th>how</th></tr></thead><tbody>\(lines)</tbody></table></div>\(rest)</article>
      """
  }
}

extension MigrationPage.ChangedProperty {
  fileprivate var markup: Markup {
    let code: Markup = code.map { " <code>\($0)</code>" } ?? ""
    let kind = isLost ? "lost" : before == nil ? "new" : after == nil ? "gone" : "changed"
    let mark: Markup = isLost ? "<span class='swatch lost'></span>" : ""
    return """
      <tr class='\(kind)'><td>\(Self.cell(before))</td><td>\(Self.cell(after))</td>\
      <td>\(mark)\(words)\(code)</td></tr>
      """
  }

  private static func cell(_ property: MigrationPage.Property?) -> Markup {
    guard let property else { return "<span class='none'>none</span>" }
    return "<b><bdi>\(property.name)</bdi></b> <span class='traits'>\(property.traits)</span>"
  }
}
