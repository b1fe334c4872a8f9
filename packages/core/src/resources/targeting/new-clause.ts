import * as v from 'valibot'
import { canonicalJson } from '../../rules/canonical-json.ts'
import { unmatchableReason } from '../../rules/evaluation/unmatchable-clause.ts'
import type { ValidationError } from '../../rules/json-guard.ts'
import type { ClauseWithoutId } from '../../rules/targeting/clause.ts'
import { clauseRequest } from './clause-schema.ts'

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
 * Returns the errors of clauses that a JSON Patch added or changed and that no context can match. Clauses that are
 * stored already are accepted, so that earlier versions' documents can still be patched.
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
