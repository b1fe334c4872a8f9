import * as v from 'valibot'

/**
 * The query member by which a caller asks to change something without the approval that it needs. Nobody does so by
 * accident: whoever has the right must still ask (docs/decisions/0023-enforce-approvals-in-the-write-path.md).
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
