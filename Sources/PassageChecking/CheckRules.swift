internal import PassageDiagnostics

/// Every rule.
enum CheckRules {
  static let all: [any CheckRule.Type] = [
    UnreadValuesRule.self, ConversionToNilRule.self, NarrowedTypeRule.self, LostOrderRule.self,
    PolicyWithoutRevisionRule.self, DoubledObjectsRule.self, SharedObjectsRule.self,
    FilterGapRule.self, UnmappedEntityRule.self, MissingWayRule.self, InferredWayRule.self,
    ChangedReleaseRule.self, UnrecordedVersionRule.self, UnnamedMappingRule.self,
    RequiredValueRule.self, SameHashesRule.self,
  ]

  /// The level of a rule; `nil` if there is no such rule.
  static func level(of code: String) -> Diagnostic.Severity? {
    all.first { $0.code == code }?.level
  }
}
