import * as v from 'valibot'
import { booleanParameter } from './schema.ts'

/**
 * The query parameter of every operation that changes something
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d36-dry-run).
 */
export const dryRunQuery = v.object({ dryRun: v.optional(booleanParameter(), false) })

/** The parameter as a caller in process passes it. */
export interface DryRunInput {
  /** True to get the result that the call would have: nothing is written, notified or counted. Default false. */
  readonly dryRun?: boolean | 'true' | 'false'
}
