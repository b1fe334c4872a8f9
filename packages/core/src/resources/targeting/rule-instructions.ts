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
  targetingInstruction({
    kind: 'addRule',
    sentence: ({ it }, { description = '' }) =>
      description === '' ? `added a rule to ${it}` : `added the rule ${shortName(description)} to ${it}`,
    entries: newRuleEntries,
    apply: (edit, instruction) => {
      throwIfRefused(edit, rules.addRule(edit.config.rules, newRule(edit, instruction), instruction.beforeRuleId))
    },
  }),
  targetingInstruction({
    kind: 'removeRule',
    sentence: ({ it, rule }, { ruleId }) => `removed ${rule(ruleId)} from ${it}`,
    entries: { ruleId },
    apply: (edit, instruction) => {
      rules.removeRule(edit.config.rules, instruction.ruleId)
    },
  }),
  targetingInstruction({
    kind: 'replaceRules',
    sentence: ({ it }) => `replaced the rules of ${it}`,
    entries: { rules: list(ruleRequest) },
    apply: (edit, instruction) => {
      edit.config.rules = instruction.rules.map((rule, index) => newRule(edit, rule, `rules.${index}.`))
    },
  }),
  targetingInstruction({
    kind: 'reorderRules',
    sentence: ({ it }) => `reordered the rules of ${it}`,
    entries: { ruleIds: list(v.string()) },
    apply: (edit, { ruleIds }) => {
      throwIfRefused(edit, rules.reorderRules(edit.config.rules, ruleIds))
    },
  }),
  targetingInstruction({
    kind: 'updateRuleDescription',
    sentence: ({ it, rule }, { ruleId, description }) =>
      `changed the description of ${rule(ruleId)} of ${it} to ${shortName(description)}`,
    entries: { ruleId, description: text() },
    apply: (edit, instruction) => {
      throwIfRefused(edit, rules.updateRuleDescription(edit.config.rules, instruction.ruleId, instruction.description))
    },
  }),
  targetingInstruction({
    kind: 'updateRuleTrackEvents',
    sentence: ({ it, rule }, { ruleId, trackEvents }) =>
      `turned ${onOrOff(trackEvents)} the event tracking of ${rule(ruleId)} of ${it}`,
    entries: { ruleId, trackEvents: v.boolean() },
    apply: (edit, instruction) => {
      const update = (rule: Draft<TargetingRule>) => {
        rule.trackEvents = instruction.trackEvents
      }
      throwIfRefused(edit, rules.withRule(edit.config.rules, instruction.ruleId, update))
    },
  }),
  targetingInstruction({
    kind: 'updateRuleVariationOrRollout',
    sentence: (subject, instruction) =>
      `made ${subject.rule(instruction.ruleId)} of ${subject.it} serve ${servedBy(subject, instruction)}`,
    entries: { ruleId, ...serveEntries },
    apply: (edit, instruction) => {
      const update = (rule: Draft<TargetingRule>) => {
        delete rule.variation
        delete rule.rollout
        Object.assign(rule, serveOf(edit, instruction))
      }
      throwIfRefused(edit, rules.withRule(edit.config.rules, instruction.ruleId, update))
    },
  }),

  targetingInstruction({
    kind: 'addClauses',
    sentence: ({ it, rule }, { ruleId, clauses }) =>
      `added ${counted(clauses.length, 'clauses')} to ${rule(ruleId)} of ${it}`,
    entries: { ruleId, clauses },
    apply: (edit, instruction) => {
      throwIfRefused(
        edit,
        rules.addClauses(edit.config.rules, instruction.ruleId, withClauseIds(instruction.clauses, edit.newId)),
      )
    },
  }),
  targetingInstruction({
    kind: 'removeClauses',
    sentence: ({ it, rule }, { ruleId, clauseIds }) =>
      `removed ${counted(clauseIds.length, 'clauses')} from ${rule(ruleId)} of ${it}`,
    entries: { ruleId, clauseIds: list(v.string()) },
    apply: (edit, instruction) => {
      throwIfRefused(edit, rules.removeClauses(edit.config.rules, instruction.ruleId, instruction.clauseIds))
    },
  }),
  targetingInstruction({
    kind: 'updateClause',
    sentence: ({ it, rule }, { ruleId }) => `changed a clause of ${rule(ruleId)} of ${it}`,
    entries: { ruleId, clauseId, clause: newClauseRequest },
    apply: (edit, instruction) => {
      throwIfRefused(edit, rules.updateClause(edit.config.rules, instruction, instruction.clause))
    },
  }),
  targetingInstruction({
    kind: 'addValuesToClause',
    sentence: ({ it, rule }, { ruleId, values }) =>
      `added ${named(values.map(String), 'values')} to a clause of ${rule(ruleId)} of ${it}`,
    entries: { ruleId, clauseId, values },
    apply: (edit, instruction) => {
      throwIfRefused(edit, rules.addValuesToClause(edit.config.rules, instruction, instruction.values))
    },
  }),
  targetingInstruction({
    kind: 'removeValuesFromClause',
    sentence: ({ it, rule }, { ruleId, values }) =>
      `removed ${named(values.map(String), 'values')} from a clause of ${rule(ruleId)} of ${it}`,
    entries: { ruleId, clauseId, values },
    apply: (edit, instruction) => {
      throwIfRefused(edit, rules.removeValuesFromClause(edit.config.rules, instruction, instruction.values))
    },
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
