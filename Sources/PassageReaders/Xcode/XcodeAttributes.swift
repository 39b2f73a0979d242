internal import PassageAtomicStores
internal import PassageDiagnostics
internal import PassageModels

/// Reads typed values from the attributes of Xcode's XML elements, and collects mistakes and
/// unknown parts.
struct XcodeAttributes {
  private(set) var findings = Diagnostics()
  private var noted: Set<String> = []

  mutating func report(_ diagnostic: Diagnostic) { findings.append(diagnostic) }

  /// Reports an error, which is made only if it is listed; see ``Diagnostics/appendError(_:)``.
  mutating func reportError(_ make: () -> Diagnostic) { findings.appendError(make) }

  /// A required attribute. Reports `MOD-108` if it is missing.
  mutating func required(_ name: String, of element: MarkupElement) -> String? {
    if let value = element.attributes[name] { return value }
    report(
      Diagnostic(
        "MOD-108", "<\(element.name)> has no attribute “\(name)”", at: element.location))
    return nil
  }

  /// The name of an entity or a property, cut if it is too long. Reports `MOD-108` if it is missing.
  mutating func requiredName(of element: MarkupElement) -> String? {
    required("name", of: element)?.cutToName
  }

  /// `YES` or `NO`; `NO` if the attribute is absent.
  mutating func flag(_ name: String, of element: MarkupElement) -> Bool {
    guard let text = element.attributes[name] else { return false }
    if let flag = Self.flag(text) { return flag }
    reportWord(text, name, of: element, known: ["YES", "NO"])
    return false
  }

  /// An integer from 0 to the largest that a model can hold; `fallback` if the attribute is absent.
  mutating func count(_ name: String, of element: MarkupElement, default fallback: Int) -> Int {
    guard let text = element.attributes[name] else { return fallback }
    if let count = Int32(text), count >= 0 { return Int(count) }
    report(
      Diagnostic(
        "MOD-104", "“\(name)” of <\(element.name)> cannot be “\(text)”", at: element.location,
        reason: "it must be a whole number from 0 to \(Int32.max)"))
    return fallback
  }

  /// A text; `nil` if it is empty.
  func text(_ name: String, of element: MarkupElement) -> String? {
    element.attributes[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func reportWord(
    _ text: String, _ name: String, of element: MarkupElement, known: [String]
  ) {
    reportError {
      Diagnostic(
        "MOD-104", "“\(name)” of <\(element.name)> cannot be “\(text)”", at: element.location,
        remedy: nearest(to: text, in: known).map { "did you mean “\($0)”?" }
          ?? "use one of: \(known.joined(separator: ", "))")
    }
  }

  /// Notes attributes and children that this reader does not know, each kind once. A newer version
  /// of Xcode may have given them a meaning.
  ///
  /// - Parameters:
  ///   - attributes: the known names; `nil` if every attribute is accepted.
  ///   - children: the known names.
  ///   - shape: whether an unknown child may affect the data of a store, as a new kind of property
  ///     would: if so, it is a warning instead of a note.
  mutating func noteUnknown(
    in element: MarkupElement, attributes: Set<String>?, children: Set<String>, shape: Bool = false
  ) {
    if let attributes {
      for name in element.attributes.keys.sorted() where !attributes.contains(name) {
        note(
          "the attribute “\(name)” of <\(element.name)> is not understood and is ignored", element)
      }
    }
    for child in element.children where !children.contains(child.name) {
      note(
        "the element <\(child.name)> in <\(element.name)> is not understood and is ignored", child,
        shape ? .warning : .note)
    }
  }

  private mutating func note(
    _ message: String, _ element: MarkupElement, _ severity: Diagnostic.Severity = .note
  ) {
    guard noted.count < 200, noted.insert(message).inserted else { return }
    report(
      Diagnostic(
        "MOD-105", message, severity: severity, at: element.location,
        reason: severity == .warning
          ? "a store of this model may contain more than the model describes" : nil,
        remedy: severity == .warning
          ? "compare the version hashes with a store's: migrate inspect STORE" : nil))
  }

  static func flag(_ text: String) -> Bool? {
    switch text {
    case "YES", "true", "1": true
    case "NO", "false", "0": false
    default: nil
    }
  }
}
