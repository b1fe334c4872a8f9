import { castDraft, type Draft } from 'immer'
import { unmatchableReason } from '../evaluation/unmatchable-clause.ts'
import type { Clause, ClauseValue } from './clause.ts'
import type { Rule } from './rule.ts'

/**
 * A rule of an ordered list, as an Immer draft; flags and segments use the same edits of such lists. Each edit returns
 * an error if it cannot be applied, otherwise undefined; an edit without effect succeeds
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 */
export type RuleDraft = Draft<Rule>

/** Reason why an edit cannot be applied, with the property of the instruction that is invalid. */
export interface EditError {
  readonly attribute: string
  readonly reason: string
}

/**
 * Adds a rule.
 *
 * @param rule rule with its ids, which no other rule has.
 * @param beforeRuleId id of the rule before which it is inserted; at the end if omitted.
 */
export function addRule<R extends RuleDraft>(rules: R[], rule: R, beforeRuleId?: string): EditError | undefined {
  const index =
    beforeRuleId === undefined ? rules.length : rules.findIndex((candidate) => candidate._id === beforeRuleId)
  if (index < 0) return unknownRule('beforeRuleId')
  rules.splice(index, 0, rule)
}

/** Removes a rule; an unknown id is ignored. */
export function removeRule(rules: RuleDraft[], ruleId: string): undefined {
  const index = rules.findIndex((candidate) => candidate._id === ruleId)
  if (index >= 0) rules.splice(index, 1)
}

/** Reorders the rules; `ruleIds` must contain the id of each rule exactly once. */
export function reorderRules(rules: RuleDraft[], ruleIds: readonly string[]): EditError | undefined {
  const order = new Map(ruleIds.map((id, index) => [id, index]))
  if (ruleIds.length !== rules.length || !rules.every((rule) => order.has(rule._id))) {
    return { attribute: 'ruleIds', reason: 'must contain the id of every rule exactly once' }
  }
  rules.sort((a, b) => (order.get(a._id) as number) - (order.get(b._id) as number))
}

export function updateRuleDescription(rules: RuleDraft[], ruleId: string, description: string): EditError | undefined {
  return withRule(rules, ruleId, (rule) => {
    rule.description = description
  })
}

/**
 * Adds clauses to a rule.
 *
 * @param clauses clauses with ids that no other clause of the rule has.
 */
export function addClauses(rules: RuleDraft[], ruleId: string, clauses: readonly Clause[]): EditError | undefined {
  return withRule(rules, ruleId, (rule) => {
    rule.clauses.push(...castDraft(clauses))
  })
}

/** Removes clauses from a rule; unknown ids are ignored. */
export function removeClauses(rules: RuleDraft[], ruleId: string, clauseIds: readonly string[]): EditError | undefined {
  return withRule(rules, ruleId, (rule) => {
    rule.clauses = rule.clauses.filter((clause) => !clauseIds.includes(clause._id))
  })
}

/** Identifies a clause of a rule. */
export interface ClausePath {
  readonly ruleId: string
  readonly clauseId: string
}

/** Replaces a clause; the replacement gets its id. */
export function updateClause(
  rules: RuleDraft[],
  { ruleId, clauseId }: ClausePath,
  clause: Omit<Clause, '_id'>,
): EditError | undefined {
  return withClause(rules, { ruleId, clauseId }, (old) => {
    Object.assign(old, clause, { _id: clauseId })
    return undefined
  })
}

export function addValuesToClause(
  rules: RuleDraft[],
  { ruleId, clauseId }: ClausePath,
  values: readonly ClauseValue[],
): EditError | undefined {
  return withClause(rules, { ruleId, clauseId }, (clause) => {
    const reason = values.length === 0 ? undefined : unmatchableReason({ ...clause, values })
    if (reason !== undefined) return { attribute: 'values', reason }
    clause.values = union(clause.values, values)
  })
}

export function removeValuesFromClause(
  rules: RuleDraft[],
  { ruleId, clauseId }: ClausePath,
  values: readonly ClauseValue[],
): EditError | undefined {
  return withClause(rules, { ruleId, clauseId }, (clause) => {
    const rest = clause.values.filter((value) => !values.includes(value))
    if (!unmatchableReason(clause) && unmatchableReason({ ...clause, values: rest })) {
      return { attribute: 'values', reason: 'must leave a value that a context can match: use removeClauses' }
    }
    clause.values = rest
  })
}

/**
 * Appends the items of `added` that the list does not contain, each once. Only the new items are put into a set,
 * because instructions may add to a long list a thousand times.
 */
export function union<T>(list: readonly T[], added: readonly T[]): T[] {
  const missing = new Set(added)
  for (const item of list) missing.delete(item)
  return [...list, ...missing]
}

/** Edits one rule; rules may have more properties than {@link Rule}. */
export function withRule<R extends RuleDraft>(
  rules: readonly R[],
  ruleId: string,
  edit: (rule: R) => void,
): EditError | undefined {
  const rule = rules.find((candidate) => candidate._id === ruleId)
  if (!rule) return unknownRule('ruleId')
  edit(rule)
}

function withClause(
  rules: readonly RuleDraft[],
  { ruleId, clauseId }: ClausePath,
  edit: (clause: Draft<Clause>) => EditError | undefined,
): EditError | undefined {
  const rule = rules.find((candidate) => candidate._id === ruleId)
  if (!rule) return unknownRule('ruleId')
  const clause = rule.clauses.find((candidate) => candidate._id === clauseId)
  if (!clause) return { attribute: 'clauseId', reason: 'must be the id of a clause of the rule' }
  return edit(clause)
}

function unknownRule(attribute: string): EditError {
  return { attribute, reason: 'must be the id of a rule' }
}
