import type { SegmentKeys } from '../../../models/segments/segment.ts'
import { documents, keySets, type Versioned } from '../../../storage/collection.ts'

/** A file of keys that came to a big segment. */
export interface SegmentImport extends Versioned {
  readonly id: string
  /** Which of the segments that there have been under the key. */
  readonly segmentId: string
  readonly mode: ImportMode
  readonly status: ImportStatus
  readonly filename?: string
  /** How many distinct keys were in the file. */
  readonly keys: number
  readonly createdAt: number
}

/** Whether the keys are added to those there are, or take their place. */
export type ImportMode = (typeof importModes)[number]

export const importModes = ['merge', 'replace'] as const

/** `pending_approval`: the keys wait for an instruction; `stopped`: they were given up for those of a later import. */
export type ImportStatus = 'pending_approval' | 'complete' | 'stopped'

const address = 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}:import/{importId}'

export const segmentImports = documents<SegmentImport>()({
  name: 'segment-import',
  address,
  fields: ({ status }) => ({ status }),
})

/** Keys that have come and do not count yet. */
export const stagedKeys = keySets({ name: 'staged', address })

export interface ImportKeys extends SegmentKeys {
  readonly importId: string
}
