import { castDraft, type Draft } from 'immer'
import * as v from 'valibot'
import { list, text } from '../../../operation/schema.ts'
import { identified } from '../../../rules/targeting/clause.ts'
import * as rules from '../../../rules/targeting/edit-rules.ts'
import { clauseRequest } from '../../targeting/clause-wire.ts'
import type { FlagRule } from '../flag-config.ts'
import { type Edit, environmentInstruction, need } from './instruction.ts'
import { serveMembers, serveOf } from './serve.ts'

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

/** The ordered rules of a flag in an environment. */
export const ruleInstructions = [
  environmentInstruction('addRule', newRuleMembers, (edit, given) => {
    need(edit, rules.addRule(edit.config.rules, newRule(edit, given), given.beforeRuleId))
  }),
  environmentInstruction('removeRule', { ruleId }, (edit, given) => {
    rules.removeRule(edit.config.rules, given.ruleId)
  }),
  environmentInstruction('replaceRules', { rules: list(ruleRequest) }, (edit, given) => {
    edit.config.rules = given.rules.map((rule, at) => newRule(edit, rule, `rules.${at}.`))
  }),
  environmentInstruction('reorderRules', { ruleIds: list(v.string()) }, (edit, { ruleIds }) => {
    need(edit, rules.reorderRules(edit.config.rules, ruleIds))
  }),
  environmentInstruction('updateRuleDescription', { ruleId, description: text() }, (edit, given) => {
    need(edit, rules.updateRuleDescription(edit.config.rules, given.ruleId, given.description))
  }),
  environmentInstruction('updateRuleTrackEvents', { ruleId, trackEvents: v.boolean() }, (edit, given) => {
    const update = (rule: Draft<FlagRule>) => {
      rule.trackEvents = given.trackEvents
    }
    need(edit, rules.withRule(edit.config.rules, given.ruleId, update))
  }),
  environmentInstruction('updateRuleVariationOrRollout', { ruleId, ...serveMembers }, (edit, given) => {
    const update = (rule: Draft<FlagRule>) => {
      delete rule.variation
      delete rule.rollout
      Object.assign(rule, serveOf(edit, given))
    }
    need(edit, rules.withRule(edit.config.rules, given.ruleId, update))
  }),

  environmentInstruction('addClauses', { ruleId, clauses }, (edit, given) => {
    need(edit, rules.addClauses(edit.config.rules, given.ruleId, identified(given.clauses, edit.newId)))
  }),
  environmentInstruction('removeClauses', { ruleId, clauseIds: list(v.string()) }, (edit, given) => {
    need(edit, rules.removeClauses(edit.config.rules, given.ruleId, given.clauseIds))
  }),
  environmentInstruction('updateClause', { ruleId, clauseId, clause: clauseRequest }, (edit, given) => {
    need(edit, rules.updateClause(edit.config.rules, given.ruleId, given.clauseId, given.clause))
  }),
  environmentInstruction('addValuesToClause', { ruleId, clauseId, values }, (edit, given) => {
    need(edit, rules.addValuesToClause(edit.config.rules, given.ruleId, given.clauseId, given.values))
  }),
  environmentInstruction('removeValuesFromClause', { ruleId, clauseId, values }, (edit, given) => {
    need(edit, rules.removeValuesFromClause(edit.config.rules, given.ruleId, given.clauseId, given.values))
  }),
] as const

interface RuleRequest extends Partial<v.InferOutput<typeof ruleRequest>> {
  readonly clauses: v.InferOutput<typeof clauses>
}

function newRule(edit: Edit, request: RuleRequest, at = ''): Draft<FlagRule> {
  const { description, trackEvents = false } = request
  return castDraft({
    _id: edit.newId(),
    clauses: identified(request.clauses, edit.newId),
    ...serveOf(edit, request, at),
    ...(description === undefined ? {} : { description }),
    trackEvents,
  })
}
