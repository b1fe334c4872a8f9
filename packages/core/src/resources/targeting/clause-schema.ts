import * as v from 'valibot'
import { list } from '../../operation/schema.ts'
import { canonicalJson } from '../../rules/canonical-json.ts'
import { unmatchableReason } from '../../rules/evaluation/unmatchable-clause.ts'
import type { ValidationError } from '../../rules/json-guard.ts'
import { type ClauseWithoutId, clauseOperators } from '../../rules/targeting/clause.ts'

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

/** Schema of a clause that a request adds. A clause that no context can match is rejected, because it is a mistake. */
export const newClauseRequest = v.pipe(
  clauseRequest,
  v.rawCheck(({ dataset, addIssue }) => {
    const reason = dataset.typed ? unmatchableReason(dataset.value) : undefined
    if (reason !== undefined) addIssue({ message: reason })
  }),
)

interface RuleWithClauses {
  readonly clauses: readonly ClauseWithoutId[]
}

/**
 * Returns the errors of clauses that a JSON Patch added or changed and that no context can match. Clauses that are stored
 * already are accepted, so that earlier versions' documents can still be patched.
 *
 * @param before the stored rules.
 * @param after the patched rules.
 * @param path path of the rules, such as `rules`.
 */
export function validateNewClauses(
  before: readonly RuleWithClauses[],
  after: readonly RuleWithClauses[],
  path: string,
): ValidationError[] {
  const stored = new Set(before.flatMap(({ clauses }) => clauses.map((clause) => canonicalJson(clause))))
  return after.flatMap(({ clauses }, ruleIndex) =>
    clauses.flatMap((clause, index) => {
      const reason = stored.has(canonicalJson(clause)) ? undefined : unmatchableReason(clause)
      return reason === undefined ? [] : [{ attribute: `${path}.${ruleIndex}.clauses.${index}`, reason }]
    }),
  )
}

export type ClauseRequest = v.InferOutput<typeof clauseRequest>

export const clauseResponse = v.object({
  _id: v.string(),
  attribute: v.string(),
  op: v.picklist(clauseOperators),
  values: list(clauseValue),
  negate: v.boolean(),
  contextKind: v.string(),
})
