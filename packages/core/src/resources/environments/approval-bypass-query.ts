import * as v from 'valibot'

/**
 * The query parameter by which a caller requests to change something without the approval that it needs. It prevents
 * accidents: a caller with the right to bypass must still request it
 * (docs/decisions/0023-enforce-approvals-in-the-write-path.md).
 */
export const bypassQuery = {
  bypassRequiredApproval: v.optional(
    v.pipe(
      v.union([v.boolean(), v.picklist(['true', 'false'])], 'must be true or false'),
      v.transform((value) => value === true || value === 'true'),
    ),
    false,
  ),
}
