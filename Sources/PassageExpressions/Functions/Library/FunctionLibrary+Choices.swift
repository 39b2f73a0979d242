import PassageValues

extension FunctionLibrary {
  static let choices: [ValueFunction] = [
    ValueFunction(
      "coalesce:", [.type(.any), .type(.any)], nil, isVariadic: true, takesNil: true,
      native: "coalesce"
    ) {
      { values in values.first { !$0.isNothing } ?? .null }
    }
  ]
}
