/** What was found in the source of a repository at one commit. */
export interface Scan {
  readonly repository: string
  /** Commit that was scanned, as a hash or the beginning of one. */
  readonly head: string
  /** When it was scanned: integer ms, UTC. */
  readonly syncTime: number
  /** When the commit was made: integer ms, UTC; undefined where nothing tells. */
  readonly commitTime?: number
  readonly references: readonly ScannedFile[]
  /** Rows that were told and left out. */
  readonly skipped: number
}

export interface ScannedFile {
  readonly path: string
  readonly hunks: readonly Omit<FoundReference, 'path'>[]
}

/** One place where a flag is named. */
export interface FoundReference {
  readonly path: string
  readonly flagKey: string
  /** From 1. */
  readonly startingLineNumber: number
  readonly lines?: string
  readonly aliases?: readonly string[]
  readonly contentHash?: string
}

/** Puts references on one list for each file, the files in order of first appearance. */
export function referencesByFile(found: Iterable<FoundReference>): ScannedFile[] {
  const files = new Map<string, Omit<FoundReference, 'path'>[]>()
  for (const { path, ...hunk } of found) {
    const hunks = files.get(path)
    if (hunks) hunks.push(hunk)
    else files.set(path, [hunk])
  }
  return [...files].map(([path, hunks]) => ({ path, hunks }))
}
