import { documents, type Versioned } from '../../storage/collection.ts'
import type { Row } from '../../storage/reader.ts'

/** A branch of a repository, with the references that the latest scan found. */
export interface Branch extends Versioned {
  /** Name of the branch in the repository, e.g. `release/1.2`. */
  readonly name: string
  /** The commit that was scanned. */
  readonly head: string
  /** Orders the scans of a branch. Undefined when the scanner does not number them. */
  readonly updateSequenceId?: number
  readonly syncTime: number
  readonly commitTime?: number
  readonly references: readonly Reference[]
}

/** The hunks of one file that refer to flags. */
export interface Reference {
  /** Relative to the root of the repository. */
  readonly path: string
  /** Language of the file, for user interfaces. */
  readonly hint?: string
  readonly hunks: readonly Hunk[]
}

/** Some lines of a file that refer to one flag. */
export interface Hunk {
  readonly startingLineNumber: number
  readonly lines?: string
  readonly projKey: string
  readonly flagKey: string
  readonly aliases?: readonly string[]
  readonly contentHash?: string
}

/** A branch without its references, which can have a size of a megabyte. Lists return it. */
export type BranchSummary = Omit<Branch, 'references' | 'version'>

export const branches = documents<Branch>()({
  name: 'code-reference-branch',
  address: 'code-reference-repository/{repo}:branch/{branch}',
  fields: ({ name, head, updateSequenceId, syncTime, commitTime }) => ({
    name,
    head,
    syncTime,
    ...(updateSequenceId === undefined ? {} : { updateSequenceId }),
    ...(commitTime === undefined ? {} : { commitTime }),
  }),
})

/** Returns the summary in the narrow row of a branch. */
export function summaryOf(row: Row): BranchSummary {
  return row.fields as BranchSummary
}

/** Returns the references to the flags of one project, to flags with one key, or both. */
export function referencesTo(
  references: readonly Reference[],
  { projKey, flagKey }: { readonly projKey?: string; readonly flagKey?: string },
): readonly Reference[] {
  if (projKey === undefined && flagKey === undefined) return references
  const isRequested = (hunk: Hunk) =>
    (projKey === undefined || hunk.projKey === projKey) && (flagKey === undefined || hunk.flagKey === flagKey)
  return references
    .map((reference) => ({ ...reference, hunks: reference.hunks.filter(isRequested) }))
    .filter((reference) => reference.hunks.length > 0)
}
