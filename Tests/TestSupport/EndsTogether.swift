import Foundation
import HarnessBase

/// Has all programs that tests start end with the test program, and the test program with `swift test`,
/// however these end.
package let endsTogether: Void = {
  Orphans.markAll()
  let parent = getppid()
  Thread.detachNewThread {
    while getppid() == parent { usleep(500_000) }
    kill(getpid(), SIGKILL)
  }
}()
