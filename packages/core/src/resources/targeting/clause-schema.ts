import * as v from 'valibot'
import { list } from '../../operation/schema.ts'
import { clauseOperators } from '../../rules/targeting/clause.ts'

const clauseValue = v.union([
  v.pipe(v.string(), v.maxLength(1000, 'must have at most 1000 characters')),
  v.number(),
  v.boolean(),
])

/** Schema of the kind of a context, for example `user`. */
export const contextKind = () =>
  v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"'))

/** Schema of a clause in a request. The engine assigns an id to a clause without one. */
export const clauseRequest = v.strictObject({
  _id: v.optional(v.string()),
  attribute: v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters')),
  op: v.picklist(clauseOperators, `must be one of ${clauseOperators.join(', ')}`),
  values: list(clauseValue),
  negate: v.optional(v.boolean(), false),
  contextKind: v.optional(contextKind(), 'user'),
})

export type ClauseRequest = v.InferOutput<typeof clauseRequest>

export const clauseResponse = v.object({
  _id: v.string(),
  attribute: v.string(),
  op: v.picklist(clauseOperators),
  values: list(clauseValue),
  negate: v.boolean(),
  contextKind: v.string(),
})
