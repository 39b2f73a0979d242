internal import Dispatch

/// Runs work that blocks on a thread that is not one of Swift's tasks.
enum OwnThread {
  static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { result in
      DispatchQueue(label: "passage.fleet", qos: .userInitiated).async {
        result.resume(returning: body())
      }
    }
  }
}
