import type { SegmentKeys } from '../../../models/segments/segment.ts'
import { documents, keySets, type Versioned } from '../../../storage/collection.ts'

/** An import of a file of keys into a big segment. */
export interface SegmentImport extends Versioned {
  readonly id: string
  /** Id of the segment, because several segments can have had its key. */
  readonly segmentId: string
  readonly mode: ImportMode
  readonly status: ImportStatus
  readonly filename?: string
  /** Number of distinct keys in the file. */
  readonly keys: number
  readonly createdAt: number
}

/** Mode of an import: the keys are added to the existing keys, or replace them. */
export type ImportMode = (typeof importModes)[number]

export const importModes = ['merge', 'replace'] as const

/**
 * `pending_approval`: the keys wait for an instruction; `stopped`: a later import replaced this one before it was
 * processed.
 */
export type ImportStatus = 'pending_approval' | 'complete' | 'stopped'

const address = 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}:import/{importId}'

export const segmentImports = documents<SegmentImport>()({
  name: 'segment-import',
  address,
  fields: ({ status }) => ({ status }),
})

/** Keys that were received but do not belong to the segment yet. */
export const stagedKeys = keySets({ name: 'staged', address })

export interface ImportKeys extends SegmentKeys {
  readonly importId: string
}
