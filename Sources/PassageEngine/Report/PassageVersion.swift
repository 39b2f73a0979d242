/// The version of Passage.
public enum PassageVersion {
  /// As stores that it makes record it, and as `migrate --version` says it.
  public static let current = "0.1.0"
}
