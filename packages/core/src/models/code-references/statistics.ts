import { documents, type Versioned } from '../../storage/collection.ts'

/**
 * Number of references to the flags of one project on a repository's default branch
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d27-code-references). Counted when the branch is written, so
 * that reading statistics does not read references.
 */
export interface Statistics extends Versioned {
  readonly repo: string
  /** Counts by flag key. */
  readonly flags: Readonly<Record<string, FlagCounts>>
  /** Time of the scanned commit. Undefined when the scanner did not send it. */
  readonly latestCommitTime?: number
}

export interface FlagCounts {
  readonly hunkCount: number
  /** Number of files with at least one hunk. */
  readonly fileCount: number
}

/** Stored under the project, because they are read by project. Deleting the project deletes them. */
export const statistics = documents<Statistics>()({
  name: 'code-reference-statistics',
  address: 'proj/{projectKey}:code-reference-repository/{repo}',
})
