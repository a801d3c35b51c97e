import Rendering

/// What one module adds to the tool: commands, the jobs that worker processes do for these, and the
/// reports of commands whose work several machines can share.
package struct Feature: Sendable {
  package let commands: [Command]
  package let jobs: [any Job.Type]
  package let reports: [any SharedReport.Type]

  package init(
    _ commands: [Command], jobs: [any Job.Type] = [], reports: [any SharedReport.Type] = []
  ) {
    (self.commands, self.jobs, self.reports) = (commands, jobs, reports)
  }

  /// The command `merge`, for the reports of these features.
  package static func merging(_ features: [Feature]) -> Feature {
    Feature([.merge(features.flatMap(\.reports))])
  }
}
