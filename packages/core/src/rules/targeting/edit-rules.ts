import { castDraft, type Draft } from 'immer'
import type { Clause, ClauseValue } from './clause.ts'
import type { Rule } from './rule.ts'

/**
 * Edits of an ordered list of rules with clauses, which flags and segments share. Each writes to an Immer draft and
 * returns why it cannot be done, or undefined; what is already so is left as it is, and succeeds (D12).
 */
export type RuleDraft = Draft<Rule>

/** Why an edit cannot be done: the member of the instruction that is at fault, and what is wrong with it. */
export interface Refusal {
  readonly attribute: string
  readonly reason: string
}

/**
 * Adds a rule.
 *
 * @param rule with its ids, which no other rule has.
 * @param beforeRuleId the rule that shall come after it; at the end when left out.
 */
export function addRule<R extends RuleDraft>(rules: R[], rule: R, beforeRuleId?: string): Refusal | undefined {
  const at = beforeRuleId === undefined ? rules.length : rules.findIndex((one) => one._id === beforeRuleId)
  if (at < 0) return noRule('beforeRuleId')
  rules.splice(at, 0, rule)
}

/** Takes a rule out; none is missed when it is not there. */
export function removeRule(rules: RuleDraft[], ruleId: string): undefined {
  const at = rules.findIndex((one) => one._id === ruleId)
  if (at >= 0) rules.splice(at, 1)
}

/** Puts the rules into another order; `ruleIds` names exactly those there are. */
export function reorderRules(rules: RuleDraft[], ruleIds: readonly string[]): Refusal | undefined {
  const place = new Map(ruleIds.map((id, at) => [id, at]))
  if (ruleIds.length !== rules.length || !rules.every((rule) => place.has(rule._id))) {
    return { attribute: 'ruleIds', reason: 'must name every rule exactly once' }
  }
  rules.sort((a, b) => (place.get(a._id) as number) - (place.get(b._id) as number))
}

export function updateRuleDescription(rules: RuleDraft[], ruleId: string, description: string): Refusal | undefined {
  return withRule(rules, ruleId, (rule) => {
    rule.description = description
  })
}

/** @param clauses with their ids, which no other clause of the rule has. */
export function addClauses(rules: RuleDraft[], ruleId: string, clauses: readonly Clause[]): Refusal | undefined {
  return withRule(rules, ruleId, (rule) => {
    rule.clauses.push(...castDraft(clauses))
  })
}

/** Takes clauses out of a rule; those that are not there are not missed. */
export function removeClauses(rules: RuleDraft[], ruleId: string, clauseIds: readonly string[]): Refusal | undefined {
  return withRule(rules, ruleId, (rule) => {
    rule.clauses = rule.clauses.filter((clause) => !clauseIds.includes(clause._id))
  })
}

/** Puts another clause in the place of one, whose id it takes over. */
export function updateClause(
  rules: RuleDraft[],
  ruleId: string,
  clauseId: string,
  clause: Omit<Clause, '_id'>,
): Refusal | undefined {
  return withClause(rules, ruleId, clauseId, (old) => {
    Object.assign(old, clause, { _id: clauseId })
  })
}

export function addValuesToClause(
  rules: RuleDraft[],
  ruleId: string,
  clauseId: string,
  values: readonly ClauseValue[],
): Refusal | undefined {
  return withClause(rules, ruleId, clauseId, (clause) => {
    clause.values = joined(clause.values, values)
  })
}

export function removeValuesFromClause(
  rules: RuleDraft[],
  ruleId: string,
  clauseId: string,
  values: readonly ClauseValue[],
): Refusal | undefined {
  return withClause(rules, ruleId, clauseId, (clause) => {
    clause.values = clause.values.filter((value) => !values.includes(value))
  })
}

/**
 * A list with those of `more` that it lacks, each once. Only what is new goes into a set: instructions may add to a
 * long list a thousand times over.
 */
export function joined<T>(list: readonly T[], more: readonly T[]): T[] {
  const lacking = new Set(more)
  for (const one of list) lacking.delete(one)
  return [...list, ...lacking]
}

/** Edits one rule, whatever more than clauses it has. */
export function withRule<R extends RuleDraft>(
  rules: readonly R[],
  ruleId: string,
  edit: (rule: R) => void,
): Refusal | undefined {
  const rule = rules.find((one) => one._id === ruleId)
  if (!rule) return noRule('ruleId')
  edit(rule)
}

function withClause(
  rules: readonly RuleDraft[],
  ruleId: string,
  clauseId: string,
  edit: (clause: Draft<Clause>) => void,
): Refusal | undefined {
  const rule = rules.find((one) => one._id === ruleId)
  if (!rule) return noRule('ruleId')
  const clause = rule.clauses.find((one) => one._id === clauseId)
  if (!clause) return { attribute: 'clauseId', reason: 'must be the id of a clause of the rule' }
  edit(clause)
}

function noRule(attribute: string): Refusal {
  return { attribute, reason: 'must be the id of a rule' }
}
