import Foundation
import PassageDiagnostics
import TestSupport
import Testing

/// A command that a message prints means what it is printed for, whatever the names in it are.
@Suite struct ShellQuotingTests {
  @Test(arguments: [
    "plain", "", "It's", "a b", "$HOME `id` \\", "a\nb", "It's\\\tmine\u{1B}[2J",
    "\u{202E}1\u{7F}f",
    "\u{9B}é日",
  ])
  func `a quoted text is the same word, and can be printed`(text: String) throws {
    let quoted = text.shellQuoted
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = ["-c", "printf %s \(quoted)"]
    let output = Pipe()
    shell.standardOutput = output
    try shell.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    shell.waitUntilExit()
    #expect(String(decoding: bytes, as: UTF8.self) == text)
    let isPrintable = quoted.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E
    }
    #expect(isPrintable, "\(quoted)")
  }
}
