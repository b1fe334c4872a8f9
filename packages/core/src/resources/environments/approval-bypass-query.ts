import * as v from 'valibot'
import { booleanParameter } from '../../operation/schema.ts'

/**
 * The query parameter by which a caller requests to change something without the approval that it needs. It prevents
 * accidents: a caller with the right to bypass must still request it
 * (docs/decisions/0023-enforce-approvals-in-the-write-path.md).
 */
export const bypassQuery = {
  bypassRequiredApproval: v.optional(booleanParameter(), false),
}
