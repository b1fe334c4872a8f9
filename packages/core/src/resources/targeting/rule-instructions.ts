import { castDraft, type Draft } from 'immer'
import * as v from 'valibot'
import { list, text } from '../../operation/schema.ts'
import { counted, named, onOrOff, shortName } from '../../rules/sentences/sentence.ts'
import { withClauseIds } from '../../rules/targeting/clause.ts'
import * as rules from '../../rules/targeting/edit-rules.ts'
import type { TargetingRule } from '../../rules/targeting/targeting.ts'
import { clauseRequest } from './clause-schema.ts'
import { type TargetingEdit, targetingInstruction, throwIfRefused } from './instruction.ts'
import { servedBy } from './instruction-sentences.ts'
import { newClauseRequest } from './new-clause.ts'
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
  targetingInstruction(
    'addRule',
    ({ it }, { description = '' }) =>
      description === '' ? `added a rule to ${it}` : `added the rule ${shortName(description)} to ${it}`,
    newRuleEntries,
    (edit, instruction) => {
      throwIfRefused(edit, rules.addRule(edit.config.rules, newRule(edit, instruction), instruction.beforeRuleId))
    },
  ),
  targetingInstruction(
    'removeRule',
    ({ it, rule }, { ruleId }) => `removed ${rule(ruleId)} from ${it}`,
    { ruleId },
    (edit, instruction) => {
      rules.removeRule(edit.config.rules, instruction.ruleId)
    },
  ),
  targetingInstruction(
    'replaceRules',
    ({ it }) => `replaced the rules of ${it}`,
    { rules: list(ruleRequest) },
    (edit, instruction) => {
      edit.config.rules = instruction.rules.map((rule, index) => newRule(edit, rule, `rules.${index}.`))
    },
  ),
  targetingInstruction(
    'reorderRules',
    ({ it }) => `reordered the rules of ${it}`,
    { ruleIds: list(v.string()) },
    (edit, { ruleIds }) => {
      throwIfRefused(edit, rules.reorderRules(edit.config.rules, ruleIds))
    },
  ),
  targetingInstruction(
    'updateRuleDescription',
    ({ it, rule }, { ruleId, description }) =>
      `changed the description of ${rule(ruleId)} of ${it} to ${shortName(description)}`,
    { ruleId, description: text() },
    (edit, instruction) => {
      throwIfRefused(edit, rules.updateRuleDescription(edit.config.rules, instruction.ruleId, instruction.description))
    },
  ),
  targetingInstruction(
    'updateRuleTrackEvents',
    ({ it, rule }, { ruleId, trackEvents }) =>
      `turned ${onOrOff(trackEvents)} the event tracking of ${rule(ruleId)} of ${it}`,
    { ruleId, trackEvents: v.boolean() },
    (edit, instruction) => {
      const update = (rule: Draft<TargetingRule>) => {
        rule.trackEvents = instruction.trackEvents
      }
      throwIfRefused(edit, rules.withRule(edit.config.rules, instruction.ruleId, update))
    },
  ),
  targetingInstruction(
    'updateRuleVariationOrRollout',
    (subject, instruction) =>
      `made ${subject.rule(instruction.ruleId)} of ${subject.it} serve ${servedBy(subject, instruction)}`,
    { ruleId, ...serveEntries },
    (edit, instruction) => {
      const update = (rule: Draft<TargetingRule>) => {
        delete rule.variation
        delete rule.rollout
        Object.assign(rule, serveOf(edit, instruction))
      }
      throwIfRefused(edit, rules.withRule(edit.config.rules, instruction.ruleId, update))
    },
  ),

  targetingInstruction(
    'addClauses',
    ({ it, rule }, { ruleId, clauses }) => `added ${counted(clauses.length, 'clauses')} to ${rule(ruleId)} of ${it}`,
    { ruleId, clauses },
    (edit, instruction) => {
      throwIfRefused(
        edit,
        rules.addClauses(edit.config.rules, instruction.ruleId, withClauseIds(instruction.clauses, edit.newId)),
      )
    },
  ),
  targetingInstruction(
    'removeClauses',
    ({ it, rule }, { ruleId, clauseIds }) =>
      `removed ${counted(clauseIds.length, 'clauses')} from ${rule(ruleId)} of ${it}`,
    { ruleId, clauseIds: list(v.string()) },
    (edit, instruction) => {
      throwIfRefused(edit, rules.removeClauses(edit.config.rules, instruction.ruleId, instruction.clauseIds))
    },
  ),
  targetingInstruction(
    'updateClause',
    ({ it, rule }, { ruleId }) => `changed a clause of ${rule(ruleId)} of ${it}`,
    { ruleId, clauseId, clause: newClauseRequest },
    (edit, instruction) => {
      throwIfRefused(
        edit,
        rules.updateClause(edit.config.rules, instruction.ruleId, instruction.clauseId, instruction.clause),
      )
    },
  ),
  targetingInstruction(
    'addValuesToClause',
    ({ it, rule }, { ruleId, values }) =>
      `added ${named(values.map(String), 'values')} to a clause of ${rule(ruleId)} of ${it}`,
    { ruleId, clauseId, values },
    (edit, instruction) => {
      throwIfRefused(
        edit,
        rules.addValuesToClause(edit.config.rules, instruction.ruleId, instruction.clauseId, instruction.values),
      )
    },
  ),
  targetingInstruction(
    'removeValuesFromClause',
    ({ it, rule }, { ruleId, values }) =>
      `removed ${named(values.map(String), 'values')} from a clause of ${rule(ruleId)} of ${it}`,
    { ruleId, clauseId, values },
    (edit, instruction) => {
      throwIfRefused(
        edit,
        rules.removeValuesFromClause(edit.config.rules, instruction.ruleId, instruction.clauseId, instruction.values),
      )
    },
  ),
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
