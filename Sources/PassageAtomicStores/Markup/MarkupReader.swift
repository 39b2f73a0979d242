internal import Foundation
package import PassageDiagnostics

// On Apple's platforms it is a part of Foundation itself.
#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// Reads an XML file into a tree of elements with their locations.
///
/// The size is limited to ``maximumBytes`` bytes, ``maximumDepth`` levels and ``maximumAttributes``
/// attributes of an element. A document type with declarations of its own is refused: entities and
/// default attributes expand. The external part of a document type is never fetched.
package enum MarkupReader {
  package static let maximumBytes = 64 << 20
  package static let maximumDepth = 32
  /// The largest number of elements in a file that is not a store; each takes a few hundred bytes
  /// of memory.
  package static let maximumElements = 500_000
  /// The largest number of attributes of an element: the parser compares each with all others.
  package static let maximumAttributes = 2_000

  /// Reads the root element.
  ///
  /// - Parameters:
  ///   - maximumBytes: the largest file that is read.
  ///   - maximumElements: the largest number of elements.
  ///   - keepsSpace: whether the text of elements without children keeps its white space.
  /// - Throws: `MOD-103` with the location of the first mistake; `MOD-106` for a file that exceeds
  ///   a limit.
  package static func read(
    _ bytes: [UInt8], file: String, maximumBytes: Int = maximumBytes,
    maximumElements: Int = maximumElements, keepsSpace: Bool = false
  ) throws(Diagnostics) -> MarkupElement {
    guard bytes.count <= maximumBytes else {
      throw Diagnostics([
        Diagnostic(
          "MOD-106", "the file is larger than \(maximumBytes) bytes", at: SourceLocation(file: file)
        )
      ])
    }
    // Foundation's parser traps on names that are not UTF-8. Xcode and Core Data write only UTF-8. The
    // bytes of a text in UTF-16 may be UTF-8, too, but not without zeros: the parser would detect its
    // encoding, while the checks below look for other bytes.
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
      throw Diagnostics([
        Diagnostic(
          "MOD-103", "not valid XML", at: SourceLocation(file: file),
          reason: bytes.contains(0) ? "it has a character NUL, as UTF-16 has" : "it is not UTF-8")
      ])
    }
    if let refusal = refusal(bytes) {
      throw Diagnostics([
        Diagnostic("MOD-103", "not valid XML", at: SourceLocation(file: file), reason: refusal)
      ])
    }
    if let line = lineOfCrowdedElement(bytes) {
      throw Diagnostics([
        Diagnostic(
          "MOD-106", "an element has more than \(maximumAttributes) attributes",
          at: SourceLocation(file: file, line: line))
      ])
    }
    // A stream is read in pieces; given as one piece, more than 10 MB cause an error at the end.
    let parser = XMLParser(stream: InputStream(data: Data(bytes)))
    parser.shouldResolveExternalEntities = false
    let builder = MarkupBuilder(
      file: file, maximumElements: maximumElements, keepsSpace: keepsSpace)
    parser.delegate = builder
    let succeeded = parser.parse()
    if let failure = builder.failure { throw Diagnostics([failure]) }
    guard succeeded, let root = builder.root else {
      throw Diagnostics([
        Diagnostic(
          "MOD-103", "not valid XML",
          at: SourceLocation(file: file, line: max(1, parser.lineNumber)),
          reason: parser.parserError.map { MarkupRule.broken(($0 as NSError).code) })
      ])
    }
    return root
  }
}

/// Builds the tree from the parser's callbacks.
private final class MarkupBuilder: NSObject, XMLParserDelegate {
  private let file: String
  private var open: [MarkupElement] = []
  private(set) var root: MarkupElement?
  private(set) var failure: Diagnostic?

  private let keepsSpace: Bool

  private let maximumElements: Int
  private var count = 0

  init(file: String, maximumElements: Int, keepsSpace: Bool) {
    self.file = file
    self.maximumElements = maximumElements
    self.keepsSpace = keepsSpace
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let place = SourceLocation(
      file: file, line: parser.lineNumber > 0 ? parser.lineNumber : nil,
      column: parser.columnNumber > 0 ? parser.columnNumber : nil)
    guard open.count < MarkupReader.maximumDepth else {
      fail(
        Diagnostic(
          "MOD-106", "elements are nested more than \(MarkupReader.maximumDepth) levels deep",
          at: place), parser)
      return
    }
    count += 1
    guard count <= maximumElements else {
      fail(
        Diagnostic("MOD-106", "the file has more than \(maximumElements) elements", at: place),
        parser)
      return
    }
    open.append(MarkupElement(name: elementName, attributes: attributes, location: place))
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    guard var element = open.popLast() else { return }
    // White space between elements has no meaning in the files that are read here.
    if !keepsSpace || !element.children.isEmpty {
      element.text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if !open.isEmpty { open[open.count - 1].text += string }
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    if !open.isEmpty { open[open.count - 1].text += String(decoding: block, as: UTF8.self) }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    guard failure == nil else { return }
    failure = Diagnostic(
      "MOD-103", "not valid XML",
      at: SourceLocation(
        file: file, line: parser.lineNumber > 0 ? parser.lineNumber : nil,
        column: parser.columnNumber > 0 ? parser.columnNumber : nil),
      reason: MarkupRule.broken((parseError as NSError).code))
  }

  private func fail(_ diagnostic: Diagnostic, _ parser: XMLParser) {
    failure = failure ?? diagnostic
    parser.abortParsing()
  }
}
