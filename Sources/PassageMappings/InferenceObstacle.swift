/// One thing that cannot be inferred, with its code in the diagnostics.
struct InferenceObstacle {
  var code: String
  /// What is so, as a sentence; of a property, without the property as its subject.
  var message: String
  var reason: String
  var remedy: String

  init(_ code: String, _ message: String, reason: String, remedy: String) {
    self.code = code
    self.message = message
    self.reason = reason
    self.remedy = remedy
  }

  /// The text of a draft's mark.
  var mark: String { "\(code) \(message): \(reason)" }
}
