import Workers

/// What one part of the tool adds to it: commands, and the jobs that these ask workers to do.
package struct Feature: Sendable {
  package let commands: [Command]
  package let jobs: [any Job.Type]

  package init(_ commands: [Command], jobs: [any Job.Type] = []) {
    (self.commands, self.jobs) = (commands, jobs)
  }
}
