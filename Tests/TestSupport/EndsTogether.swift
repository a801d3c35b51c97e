import Foundation
import HarnessBase

/// Makes the programs that tests start end when the test program ends, and the test program when `swift test` ends,
/// whatever ends them.
package let endsTogether: Void = {
  Orphans.markAll()
  let parent = getppid()
  Thread.detachNewThread {
    while getppid() == parent { usleep(500_000) }
    kill(getpid(), SIGKILL)
  }
}()
