import Workers

/// What one part of the tool adds to it: commands, the jobs that these ask workers to do, and the
/// reports of those that can share their work.
package struct Feature: Sendable {
  package let commands: [Command]
  package let jobs: [any Job.Type]
  package let reports: [any SharedReport.Type]

  package init(
    _ commands: [Command], jobs: [any Job.Type] = [], reports: [any SharedReport.Type] = []
  ) {
    (self.commands, self.jobs, self.reports) = (commands, jobs, reports)
  }

  /// Joins what parts of these features' work gave.
  package static func merging(_ features: [Feature]) -> Feature {
    Feature([.merge(features.flatMap(\.reports))])
  }
}
