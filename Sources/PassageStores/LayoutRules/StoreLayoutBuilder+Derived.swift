internal import PassageDiagnostics
internal import PassageModels

extension StoreLayoutBuilder {
  /// The derived attributes that can be computed. An attribute comes after those it is derived
  /// from.
  mutating func makeDerivedAttributes(_ entities: [EntityLayout]) -> [DerivedAttributeLayout] {
    let layouts = Dictionary(
      entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let writer = DerivationWriter(model: model, layouts: layouts)
    var found: [DerivedAttributeLayout] = []
    for entity in ordered {
      for attribute in sorted(entity.attributes)
      where attribute.derivation != nil && attribute.isStored {
        do throws(DerivationMistake) {
          var layout = try writer.layout(of: attribute, in: entity)
          do throws(DerivationMistake) {
            layout.triggers = try writer.triggers(of: layout)
          } catch {
            noteTriggers("\(entity.name).\(attribute.name)", error)
          }
          found.append(layout)
        } catch {
          noteTriggers("\(entity.name).\(attribute.name)", error)
        }
      }
    }
    var depths = DerivationDepths(found, of: model)
    return found.map { (depth: depths.depth(of: $0), attribute: $0) }.enumerated().sorted {
      ($0.element.depth, $0.offset) < ($1.element.depth, $1.offset)
    }.map(\.element.attribute)
  }

  private mutating func noteTriggers(_ name: String, _ mistake: DerivationMistake) {
    unsupported.append(
      Diagnostic(
        "STO-201", "the triggers of the derived attribute \(name) are not written",
        severity: .warning, reason: mistake.description,
        remedy: "compute the value in the app, or let Core Data migrate a store of this model once "
          + "if Core Data must keep it up to date"))
  }
}
