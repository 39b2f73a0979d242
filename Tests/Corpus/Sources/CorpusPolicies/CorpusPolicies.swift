public import Passage

/// The policies that the corpus's mapping models name. Each is written from what its mapping model
/// leaves open and from what the articles about it say, and is registered under the name it has there.
public enum CorpusPolicies {
  /// All of them.
  public static let all: [any MigrationPolicy.Type] = [
    BookPolicy.self, CarMakerPolicy.self, PostColorPolicy.self,
  ]
}
