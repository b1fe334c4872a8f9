import * as v from 'valibot'

/**
 * The query parameter by which a deletion removes the references to what it deletes
 * (docs/decisions/0048-refuse-to-delete-what-is-referred-to.md).
 */
export const detachQuery = {
  detach: v.optional(
    v.pipe(
      v.union([v.boolean(), v.picklist(['true', 'false'])], 'must be true or false'),
      v.transform((value) => value === true || value === 'true'),
    ),
    false,
  ),
}
