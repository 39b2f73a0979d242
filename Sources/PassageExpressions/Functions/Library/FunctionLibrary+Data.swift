import PassageDiagnostics
import PassageValues

extension FunctionLibrary {
  static let data: [ValueFunction] =
    ValueFunction.reading(
      "textFromData:encoding:", [.type(.binary), .type(.string)], .string, check: DataTexts.check
    ) {
      { values in
        guard let bytes = values[0].bytes, let name = values[1].string else { return .null }
        return .text(try DataTexts.text(bytes, DataTexts.Encoding(named: name)))
      }
    }
    + ValueFunction.reading(
      "dataFromText:encoding:", [.type(.string), .type(.string)], .binary, check: DataTexts.check
    ) {
      { values in
        guard let text = values[0].string, let name = values[1].string else { return .null }
        return .blob(try DataTexts.data(text, DataTexts.Encoding(named: name)))
      }
    }
}
