/** The result of scanning the source of a repository at one commit. */
export interface Scan {
  readonly repository: string
  /** The scanned commit, as a full or abbreviated hash. */
  readonly head: string
  /** Time of the scan: integer ms, UTC. */
  readonly syncTime: number
  /** Time of the commit: integer ms, UTC; undefined when it is unknown. */
  readonly commitTime?: number
  readonly references: readonly ScannedFile[]
  /** Number of rows that were reported and skipped. */
  readonly skipped: number
}

export interface ScannedFile {
  readonly path: string
  readonly hunks: readonly Omit<CodeReference, 'path'>[]
}

/** A line of source that refers to a flag. */
export interface CodeReference {
  readonly path: string
  readonly flagKey: string
  /** Number of the first line of the hunk, from 1. */
  readonly startingLineNumber: number
  readonly lines?: string
  readonly aliases?: readonly string[]
  readonly contentHash?: string
}

/** Groups references by file, in order of first appearance. */
export function referencesByFile(references: Iterable<CodeReference>): ScannedFile[] {
  const files = new Map<string, Omit<CodeReference, 'path'>[]>()
  for (const { path, ...hunk } of references) {
    const hunks = files.get(path)
    if (hunks) hunks.push(hunk)
    else files.set(path, [hunk])
  }
  return [...files].map(([path, hunks]) => ({ path, hunks }))
}
