import Foundation
import HarnessBase

/// The license of a new package.
struct NewLicense {
  enum Kind: String, CaseIterable {
    case mit = "MIT"
    case bsd2 = "BSD-2-Clause"
    case apache2 = "Apache-2.0"
    case none

    static func names(_ separator: String) -> String {
      allCases.map(\.rawValue).joined(separator: separator)
    }
  }

  let kind: Kind
  let author: String
  let year = Calendar(identifier: .gregorian).component(.year, from: Date())

  /// Nil if there is to be no license. The author is git's `user.name` unless given.
  init?(_ name: String?, author: String?) throws(Failure) {
    guard let name else {
      if author != nil {
        throw Failure(
          .usage, "--author names who owns the license's copyright; give --license, too.")
      }
      return nil
    }
    guard let kind = Kind.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
    else { throw Failure(.usage, "--license is '\(name)'; it takes \(Kind.names(", ")).") }
    guard kind != .none else { return nil }
    let asked = try? ChildProcess.run("/usr/bin/env", ["git", "config", "user.name"])
    let known = asked.flatMap { $0.isGood ? $0.output : nil } ?? ""
    let owner = (author ?? known).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !owner.isEmpty else {
      throw Failure(
        .usage, "--license \(kind.rawValue) needs the owner of the copyright; give --author NAME.")
    }
    (self.kind, self.author) = (kind, owner)
  }

  /// The text, whose first line names the license.
  var text: String {
    switch kind {
    case .mit: mit
    case .bsd2: bsd2
    case .apache2: apache
    case .none: ""
    }
  }

  private var mit: String {
    """
    MIT License

    Copyright (c) \(year) \(author)

    Permission is hereby granted, free of charge, to any person obtaining a copy
    of this software and associated documentation files (the "Software"), to deal
    in the Software without restriction, including without limitation the rights
    to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
    copies of the Software, and to permit persons to whom the Software is
    furnished to do so, subject to the following conditions:

    The above copyright notice and this permission notice shall be included in all
    copies or substantial portions of the Software.

    THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
    IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
    FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
    AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
    LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
    OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
    SOFTWARE.

    """
  }

  private var bsd2: String {
    """
    BSD 2-Clause License

    Copyright (c) \(year), \(author)

    Redistribution and use in source and binary forms, with or without
    modification, are permitted provided that the following conditions are met:

    1. Redistributions of source code must retain the above copyright notice, this
       list of conditions and the following disclaimer.

    2. Redistributions in binary form must reproduce the above copyright notice,
       this list of conditions and the following disclaimer in the documentation
       and/or other materials provided with the distribution.

    THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
    AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
    IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
    DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
    FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
    DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
    SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
    CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
    OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
    OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

    """
  }
}
