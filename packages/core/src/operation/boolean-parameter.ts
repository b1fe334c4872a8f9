import * as v from 'valibot'

/** Schema of a boolean in a query or a form, which contain only text; in process also a boolean. */
export const booleanParameter = () =>
  v.pipe(
    v.union([v.boolean(), v.picklist(['true', 'false'])], 'must be true or false'),
    v.transform((value) => value === true || value === 'true'),
  )
