import type { Segment } from '../api.ts'
import type { ClauseDraft } from '../targeting/draft.ts'

/** The parts of a segment that the editor changes. */
export interface SegmentDraft {
  readonly included: readonly string[]
  readonly excluded: readonly string[]
  readonly rules: readonly (Omit<Partial<Segment['rules'][number]>, 'clauses'> & {
    readonly clauses: readonly ClauseDraft[]
  })[]
}
