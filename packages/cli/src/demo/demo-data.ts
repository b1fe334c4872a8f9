import type { CodeReferences } from '../import/import-code-references.ts'
import type { ReleasedChange } from '../import/lead-time-importer.ts'
import codeReferences from './code-references.json'
import { day } from './demo-period.ts'
import leadTimes from './lead-times.json'

/** Where the source code of a real project refers to flags, in the format of `import code-references`. */
export const demoCodeReferences: CodeReferences = codeReferences

type Release = readonly [version: string, releasedAt: number, changes: readonly (readonly [string, number, number])[]]

// Cast: the type of the JSON file lists each release with its own properties.
const applications = Object.entries(leadTimes.applications as unknown as Readonly<Record<string, readonly Release[]>>)

/**
 * Yields the changes of real releases, in the format of `import lead-times`, moved by whole days so that the latest
 * release is less than a day old.
 *
 * @param now ms, UTC.
 */
export function* demoChanges(now: number): Generator<ReleasedChange> {
  const moved = Math.floor((now - Math.max(...releaseTimes)) / day) * day
  for (const [application, releases] of applications) {
    for (const [version, releasedAt, changes] of releases) {
      for (const [commit, authored, committed] of changes) {
        yield {
          application,
          version,
          externalId: `${application}:${commit}`,
          startedAt: (releasedAt - authored) * 1000 + moved,
          mergedAt: (releasedAt - committed) * 1000 + moved,
          deployedAt: releasedAt * 1000 + moved,
        }
      }
    }
  }
}

export const demoChangeCount = applications
  .flatMap(([, releases]) => releases)
  .reduce((sum, [, , changes]) => sum + changes.length, 0)

const releaseTimes = applications.flatMap(([, releases]) => releases.map(([, releasedAt]) => releasedAt * 1000))
