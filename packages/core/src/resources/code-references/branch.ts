import { documents, type Versioned } from '../../storage/collection.ts'
import type { Row } from '../../storage/reader.ts'

/** A branch of a repository as it was scanned last, with all that was found in it. */
export interface Branch extends Versioned {
  /** As in the repository, e.g. `release/1.2`. */
  readonly name: string
  /** Commit that was scanned. */
  readonly head: string
  /** Orders the scans of a branch; undefined when the scanner does not number them. */
  readonly updateSequenceId?: number
  readonly syncTime: number
  readonly commitTime?: number
  readonly references: readonly Reference[]
}

/** The places in one file where flags are named. */
export interface Reference {
  /** From the top of the repository. */
  readonly path: string
  /** Language of the file, for whoever shows it. */
  readonly hint?: string
  readonly hunks: readonly Hunk[]
}

/** Some lines of a file that name one flag. */
export interface Hunk {
  readonly startingLineNumber: number
  readonly lines?: string
  readonly projKey: string
  readonly flagKey: string
  readonly aliases?: readonly string[]
  readonly contentHash?: string
}

/** A branch without its references, which can be a megabyte: what lists show. */
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

/** The summary that a branch's narrow row holds. */
export function summaryOf(row: Row): BranchSummary {
  return row.fields as BranchSummary
}

/** The references to some flags only: those of a project, those of one key, or both. */
export function referencesTo(
  references: readonly Reference[],
  { projKey, flagKey }: { readonly projKey?: string; readonly flagKey?: string },
): readonly Reference[] {
  if (projKey === undefined && flagKey === undefined) return references
  const wanted = (hunk: Hunk) =>
    (projKey === undefined || hunk.projKey === projKey) && (flagKey === undefined || hunk.flagKey === flagKey)
  return references
    .map((reference) => ({ ...reference, hunks: reference.hunks.filter(wanted) }))
    .filter((reference) => reference.hunks.length > 0)
}
