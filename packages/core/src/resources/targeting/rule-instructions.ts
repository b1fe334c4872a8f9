import { castDraft, type Draft } from 'immer'
import * as v from 'valibot'
import { list, text } from '../../operation/schema.ts'
import { identified } from '../../rules/targeting/clause.ts'
import * as rules from '../../rules/targeting/edit-rules.ts'
import type { TargetingRule } from '../../rules/targeting/targeting.ts'
import { clauseRequest } from './clause-wire.ts'
import { need, type TargetingEdit, targetingInstruction } from './instruction.ts'
import { serveMembers, serveOf } from './serve-request.ts'

const ruleId = v.string()
const clauseId = v.string()
const clauses = list(clauseRequest)
const values = clauseRequest.entries.values

const ruleRequest = v.strictObject({
  clauses,
  ...serveMembers,
  description: v.optional(text()),
  trackEvents: v.optional(v.boolean(), false),
})

const newRuleMembers = {
  clauses,
  ...serveMembers,
  description: v.optional(text()),
  beforeRuleId: v.optional(v.string()),
}

/** Instructions that change the ordered rules of a targeting. */
export const ruleInstructions = [
  targetingInstruction('addRule', newRuleMembers, (edit, given) => {
    need(edit, rules.addRule(edit.config.rules, newRule(edit, given), given.beforeRuleId))
  }),
  targetingInstruction('removeRule', { ruleId }, (edit, given) => {
    rules.removeRule(edit.config.rules, given.ruleId)
  }),
  targetingInstruction('replaceRules', { rules: list(ruleRequest) }, (edit, given) => {
    edit.config.rules = given.rules.map((rule, at) => newRule(edit, rule, `rules.${at}.`))
  }),
  targetingInstruction('reorderRules', { ruleIds: list(v.string()) }, (edit, { ruleIds }) => {
    need(edit, rules.reorderRules(edit.config.rules, ruleIds))
  }),
  targetingInstruction('updateRuleDescription', { ruleId, description: text() }, (edit, given) => {
    need(edit, rules.updateRuleDescription(edit.config.rules, given.ruleId, given.description))
  }),
  targetingInstruction('updateRuleTrackEvents', { ruleId, trackEvents: v.boolean() }, (edit, given) => {
    const update = (rule: Draft<TargetingRule>) => {
      rule.trackEvents = given.trackEvents
    }
    need(edit, rules.withRule(edit.config.rules, given.ruleId, update))
  }),
  targetingInstruction('updateRuleVariationOrRollout', { ruleId, ...serveMembers }, (edit, given) => {
    const update = (rule: Draft<TargetingRule>) => {
      delete rule.variation
      delete rule.rollout
      Object.assign(rule, serveOf(edit, given))
    }
    need(edit, rules.withRule(edit.config.rules, given.ruleId, update))
  }),

  targetingInstruction('addClauses', { ruleId, clauses }, (edit, given) => {
    need(edit, rules.addClauses(edit.config.rules, given.ruleId, identified(given.clauses, edit.newId)))
  }),
  targetingInstruction('removeClauses', { ruleId, clauseIds: list(v.string()) }, (edit, given) => {
    need(edit, rules.removeClauses(edit.config.rules, given.ruleId, given.clauseIds))
  }),
  targetingInstruction('updateClause', { ruleId, clauseId, clause: clauseRequest }, (edit, given) => {
    need(edit, rules.updateClause(edit.config.rules, given.ruleId, given.clauseId, given.clause))
  }),
  targetingInstruction('addValuesToClause', { ruleId, clauseId, values }, (edit, given) => {
    need(edit, rules.addValuesToClause(edit.config.rules, given.ruleId, given.clauseId, given.values))
  }),
  targetingInstruction('removeValuesFromClause', { ruleId, clauseId, values }, (edit, given) => {
    need(edit, rules.removeValuesFromClause(edit.config.rules, given.ruleId, given.clauseId, given.values))
  }),
] as const

interface RuleRequest extends Partial<v.InferOutput<typeof ruleRequest>> {
  readonly clauses: v.InferOutput<typeof clauses>
}

function newRule(edit: TargetingEdit, request: RuleRequest, at = ''): Draft<TargetingRule> {
  const { description, trackEvents = false } = request
  return castDraft({
    _id: edit.newId(),
    clauses: identified(request.clauses, edit.newId),
    ...serveOf(edit, request, at),
    ...(description === undefined ? {} : { description }),
    trackEvents,
  })
}
