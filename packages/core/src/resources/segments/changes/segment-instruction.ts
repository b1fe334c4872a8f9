import * as v from 'valibot'
import { list, name, tags, text } from '../../../operation/schema.ts'
import { clauseRequest, contextKind } from '../../targeting/clause-schema.ts'
import { newClauseRequest } from '../../targeting/new-clause.ts'
import { ruleWeight, targetKey } from '../segment-schema.ts'

const id = () => v.pipe(v.string(), v.minLength(1, 'must not be empty'))
const clauses = () => list(newClauseRequest)
const clauseValues = () => clauseRequest.entries.values

function instruction<const Kind extends string, const Entries extends v.ObjectEntries>(kind: Kind, entries: Entries) {
  return v.strictObject({ kind: v.literal(kind), ...entries })
}

/**
 * Defines an instruction about targets of one context kind. Without `contextKind` in the request, the kind is `user`.
 */
function contextInstruction<const Kind extends string>(kind: Kind) {
  return instruction(kind, { contextKind: v.optional(contextKind(), 'user'), values: list(targetKey()) })
}

function keyInstruction<const Kind extends string>(kind: Kind) {
  return instruction(kind, { values: list(targetKey()) })
}

const schema = v.variant('kind', [
  instruction('addTags', { values: tags() }),
  instruction('removeTags', { values: list(v.string()) }),
  instruction('updateName', { value: name() }),
  contextInstruction('addIncludedTargets'),
  contextInstruction('addExcludedTargets'),
  contextInstruction('removeIncludedTargets'),
  contextInstruction('removeExcludedTargets'),
  keyInstruction('addIncludedUsers'),
  keyInstruction('addExcludedUsers'),
  keyInstruction('removeIncludedUsers'),
  keyInstruction('removeExcludedUsers'),
  keyInstruction('addBigSegmentIncludedTargets'),
  keyInstruction('addBigSegmentExcludedTargets'),
  keyInstruction('removeBigSegmentIncludedTargets'),
  keyInstruction('removeBigSegmentExcludedTargets'),
  instruction('processBigSegmentImport', { importId: id() }),
  instruction('addRule', { clauses: clauses(), description: v.optional(text()) }),
  instruction('removeRule', { ruleId: id() }),
  instruction('reorderRules', { ruleIds: list(id()) }),
  instruction('updateRuleDescription', { ruleId: id(), description: text() }),
  instruction('updateRuleRolloutAndContextKind', {
    ruleId: id(),
    weight: ruleWeight(),
    contextKind: v.optional(contextKind(), 'user'),
  }),
  instruction('addClauses', { ruleId: id(), clauses: clauses() }),
  instruction('removeClauses', { ruleId: id(), clauseIds: list(id()) }),
  instruction('updateClause', { ruleId: id(), clauseId: id(), clause: newClauseRequest }),
  instruction('addValuesToClause', { ruleId: id(), clauseId: id(), values: clauseValues() }),
  instruction('removeValuesFromClause', { ruleId: id(), clauseId: id(), values: clauseValues() }),
])

/**
 * Type of `segmentInstruction`. The declarations of operations name it instead of repeating the schemas of all
 * instructions.
 */
export interface SegmentInstructionSchema
  extends v.GenericSchema<v.InferInput<typeof schema>, v.InferOutput<typeof schema>> {}

/**
 * Schema of an instruction of a semantic patch of a segment
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch, reference API: patchSegment).
 */
export const segmentInstruction: SegmentInstructionSchema = schema

export type SegmentInstruction = v.InferOutput<typeof segmentInstruction>
