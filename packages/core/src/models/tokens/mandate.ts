import type { Grant } from '../../operation/caller.ts'

/** What is kept of a caller so that a thing which they leave to be done later is done as theirs. */
export interface Mandate {
  readonly memberId?: string
  /** Whether the member must be there still, and may do no more than they may do then. */
  readonly personal: boolean
  /** What the caller was held to besides: one layer each. */
  readonly grants: readonly Grant[]
}
