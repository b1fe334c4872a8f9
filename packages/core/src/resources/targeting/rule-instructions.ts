import { castDraft, type Draft } from 'immer'
import * as v from 'valibot'
import { list, text } from '../../operation/schema.ts'
import { withClauseIds } from '../../rules/targeting/clause.ts'
import * as rules from '../../rules/targeting/edit-rules.ts'
import type { TargetingRule } from '../../rules/targeting/targeting.ts'
import { clauseRequest, newClauseRequest } from './clause-schema.ts'
import { type TargetingEdit, targetingInstruction, throwIfRefused } from './instruction.ts'
import { serveEntries, serveOf } from './serve-request.ts'

const ruleId = v.string()
const clauseId = v.string()
const clauses = list(newClauseRequest)
const values = clauseRequest.entries.values

const ruleRequest = v.strictObject({
  clauses,
  ...serveEntries,
  description: v.optional(text()),
  trackEvents: v.optional(v.boolean(), false),
})

const newRuleEntries = {
  clauses,
  ...serveEntries,
  description: v.optional(text()),
  beforeRuleId: v.optional(v.string()),
}

/** Instructions that change the ordered rules of a targeting. */
export const ruleInstructions = [
  targetingInstruction('addRule', newRuleEntries, (edit, instruction) => {
    throwIfRefused(edit, rules.addRule(edit.config.rules, newRule(edit, instruction), instruction.beforeRuleId))
  }),
  targetingInstruction('removeRule', { ruleId }, (edit, instruction) => {
    rules.removeRule(edit.config.rules, instruction.ruleId)
  }),
  targetingInstruction('replaceRules', { rules: list(ruleRequest) }, (edit, instruction) => {
    edit.config.rules = instruction.rules.map((rule, index) => newRule(edit, rule, `rules.${index}.`))
  }),
  targetingInstruction('reorderRules', { ruleIds: list(v.string()) }, (edit, { ruleIds }) => {
    throwIfRefused(edit, rules.reorderRules(edit.config.rules, ruleIds))
  }),
  targetingInstruction('updateRuleDescription', { ruleId, description: text() }, (edit, instruction) => {
    throwIfRefused(edit, rules.updateRuleDescription(edit.config.rules, instruction.ruleId, instruction.description))
  }),
  targetingInstruction('updateRuleTrackEvents', { ruleId, trackEvents: v.boolean() }, (edit, instruction) => {
    const update = (rule: Draft<TargetingRule>) => {
      rule.trackEvents = instruction.trackEvents
    }
    throwIfRefused(edit, rules.withRule(edit.config.rules, instruction.ruleId, update))
  }),
  targetingInstruction('updateRuleVariationOrRollout', { ruleId, ...serveEntries }, (edit, instruction) => {
    const update = (rule: Draft<TargetingRule>) => {
      delete rule.variation
      delete rule.rollout
      Object.assign(rule, serveOf(edit, instruction))
    }
    throwIfRefused(edit, rules.withRule(edit.config.rules, instruction.ruleId, update))
  }),

  targetingInstruction('addClauses', { ruleId, clauses }, (edit, instruction) => {
    throwIfRefused(
      edit,
      rules.addClauses(edit.config.rules, instruction.ruleId, withClauseIds(instruction.clauses, edit.newId)),
    )
  }),
  targetingInstruction('removeClauses', { ruleId, clauseIds: list(v.string()) }, (edit, instruction) => {
    throwIfRefused(edit, rules.removeClauses(edit.config.rules, instruction.ruleId, instruction.clauseIds))
  }),
  targetingInstruction('updateClause', { ruleId, clauseId, clause: newClauseRequest }, (edit, instruction) => {
    throwIfRefused(
      edit,
      rules.updateClause(edit.config.rules, instruction.ruleId, instruction.clauseId, instruction.clause),
    )
  }),
  targetingInstruction('addValuesToClause', { ruleId, clauseId, values }, (edit, instruction) => {
    throwIfRefused(
      edit,
      rules.addValuesToClause(edit.config.rules, instruction.ruleId, instruction.clauseId, instruction.values),
    )
  }),
  targetingInstruction('removeValuesFromClause', { ruleId, clauseId, values }, (edit, instruction) => {
    throwIfRefused(
      edit,
      rules.removeValuesFromClause(edit.config.rules, instruction.ruleId, instruction.clauseId, instruction.values),
    )
  }),
] as const

interface RuleRequest extends Partial<v.InferOutput<typeof ruleRequest>> {
  readonly clauses: v.InferOutput<typeof clauses>
}

function newRule(edit: TargetingEdit, request: RuleRequest, path = ''): Draft<TargetingRule> {
  const { description, trackEvents = false } = request
  return castDraft({
    _id: edit.newId(),
    clauses: withClauseIds(request.clauses, edit.newId),
    ...serveOf(edit, request, path),
    ...(description === undefined ? {} : { description }),
    trackEvents,
  })
}
