import type { Grant } from '../../operation/caller.ts'

/** The stored rights of a caller, with which a change runs later on the caller's behalf. */
export interface Mandate {
  readonly memberId?: string
  /**
   * True when the member must still exist when the change runs; their rights at that time are then an additional limit.
   */
  readonly personal: boolean
  /** Additional limits of the caller: one layer each. */
  readonly grants: readonly Grant[]
  /** True when a host asserted the rights of the member, so that only `grants` limit the change. */
  readonly asserted?: true
}
