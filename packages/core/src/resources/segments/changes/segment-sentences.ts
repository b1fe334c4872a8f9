import type { Segment } from '../../../models/segments/segment.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { counted, named, type Sentence, type Subject, shortName } from '../../../rules/sentences/sentence.ts'
import type { InstructionSubject } from '../../targeting/instruction.ts'
import { instructionSubject } from '../../targeting/instruction-sentences.ts'
import { editSegment } from './edit-segment.ts'
import type { SegmentInstruction } from './segment-instruction.ts'

type SentencesByKind = {
  readonly [Kind in SegmentInstruction['kind']]: (
    subject: InstructionSubject,
    instruction: Extract<SegmentInstruction, { kind: Kind }>,
  ) => string
}

/** Returns the sentence of the instructions that add keys to a list or remove keys from it. */
function keysSentence(verb: 'added' | 'removed', plural: string) {
  const preposition = verb === 'added' ? 'to' : 'from'
  return ({ it }: Subject, { values }: { readonly values: readonly string[] }) =>
    `${verb} ${named(values, plural)} ${preposition} ${it}`
}

/** The sentences for the change log about each kind of instruction. */
const sentencesByKind: SentencesByKind = {
  addTags: keysSentence('added', 'tags'),
  removeTags: keysSentence('removed', 'tags'),
  updateName: ({ name, place }, { value }) => `renamed ${name} to ${shortName(value)}${place}`,
  addIncludedTargets: keysSentence('added', 'included targets'),
  addExcludedTargets: keysSentence('added', 'excluded targets'),
  removeIncludedTargets: keysSentence('removed', 'included targets'),
  removeExcludedTargets: keysSentence('removed', 'excluded targets'),
  addIncludedUsers: keysSentence('added', 'included users'),
  addExcludedUsers: keysSentence('added', 'excluded users'),
  removeIncludedUsers: keysSentence('removed', 'included users'),
  removeExcludedUsers: keysSentence('removed', 'excluded users'),
  addBigSegmentIncludedTargets: keysSentence('added', 'included targets'),
  addBigSegmentExcludedTargets: keysSentence('added', 'excluded targets'),
  removeBigSegmentIncludedTargets: keysSentence('removed', 'included targets'),
  removeBigSegmentExcludedTargets: keysSentence('removed', 'excluded targets'),
  processBigSegmentImport: ({ it }) => `imported targets into ${it}`,
  addRule: ({ it }, { description = '' }) =>
    description === '' ? `added a rule to ${it}` : `added the rule ${shortName(description)} to ${it}`,
  removeRule: ({ it, rule }, { ruleId }) => `removed ${rule(ruleId)} from ${it}`,
  reorderRules: ({ it }) => `reordered the rules of ${it}`,
  updateRuleDescription: ({ it, rule }, { ruleId, description }) =>
    `changed the description of ${rule(ruleId)} of ${it} to ${shortName(description)}`,
  updateRuleRolloutAndContextKind: ({ it, rule }, { ruleId, weight }) =>
    `made ${rule(ruleId)} of ${it} include ${weight / 1000} percent`,
  addClauses: ({ it, rule }, { ruleId, clauses }) =>
    `added ${counted(clauses.length, 'clauses')} to ${rule(ruleId)} of ${it}`,
  removeClauses: ({ it, rule }, { ruleId, clauseIds }) =>
    `removed ${counted(clauseIds.length, 'clauses')} from ${rule(ruleId)} of ${it}`,
  updateClause: ({ it, rule }, { ruleId }) => `changed a clause of ${rule(ruleId)} of ${it}`,
  addValuesToClause: ({ it, rule }, { ruleId, values }) =>
    `added ${named(values.map(String), 'values')} to a clause of ${rule(ruleId)} of ${it}`,
  removeValuesFromClause: ({ it, rule }, { ruleId, values }) =>
    `removed ${named(values.map(String), 'values')} from a clause of ${rule(ruleId)} of ${it}`,
}

/**
 * Returns the sentences about the instructions that change the document of a segment. The keys of a big segment are not
 * part of it: how many were added or removed is known from the counts that the document has after the change.
 */
export function segmentSentences(segment: Segment, instructions: readonly SegmentInstruction[]): readonly Sentence[] {
  let state = segment
  return instructions.flatMap((instruction) => {
    const before = state
    // The ids of new rules are not used: no instruction of the same patch can name them.
    state = editSegment(before, [instruction], () => '').segment
    if (jsonEqual(before, state)) return []
    const sentence = sentencesByKind[instruction.kind] as (subject: Subject, instruction: SegmentInstruction) => string
    const names = { variations: [], rules: before.rules }
    return (subject: Subject) => sentence(instructionSubject(subject, names), instruction)
  })
}
