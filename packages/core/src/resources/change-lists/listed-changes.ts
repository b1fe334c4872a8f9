import * as v from 'valibot'
import { anyObject } from '../../operation/schema.ts'

/** Maximum number of changes of one list, and of its preconditions. */
export const maxListed = 1000

/** The properties of a call of an operation in a list. */
export const listedCall = {
  operation: v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(100, 'must have at most 100 characters'),
  ),
  parameters: v.optional(anyObject()),
}

export const entityTag = () =>
  v.pipe(
    v.string(),
    v.regex(/^"[^"]{1,256}"$/, 'must be an entity tag in double quotes, like a value of the header ETag'),
  )

/** Schema of the changes of a list: calls of write operations, in order. */
export const listedChanges = () =>
  v.pipe(
    v.array(v.strictObject({ ...listedCall, body: v.optional(v.unknown()), ifMatch: v.optional(entityTag()) })),
    v.minLength(1, 'must contain at least 1 change'),
    v.maxLength(maxListed, `must contain at most ${maxListed} changes`),
  )
