import { castDraft, type Draft, produce } from 'immer'
import type { Segment } from '../../../models/segments/segment.ts'
import type { ValidationError } from '../../../rules/json-guard.ts'
import { withClauseIds } from '../../../rules/targeting/clause.ts'
import * as rules from '../../../rules/targeting/edit-rules.ts'
import type { ProcessImport } from '../imports/process-import.ts'
import { countKeys, editTargets, maxKeysPerRequest, type SideEdit, type TargetEdit } from '../target-lists.ts'
import type { SegmentInstruction } from './segment-instruction.ts'
import {
  type DocumentInstruction,
  isBigInstruction,
  isDocumentInstruction,
  isTargetInstruction,
  sideEditOf,
  targetEditOf,
} from './side-instructions.ts'

/** Result of the instructions of a patch. */
export interface SegmentEditResult {
  readonly segment: Segment
  /** Changes of the sets of a big segment, which its document does not contain. */
  readonly membership: readonly SideEdit[]
  /** An import whose keys are to be added to the segment. */
  readonly imported: ProcessImport | undefined
  /** Validation errors of the instructions, each with its index; empty when all can be applied. */
  readonly errors: readonly ValidationError[]
}

/**
 * Applies the instructions of a semantic patch to the document of a segment
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 *
 * The settings of the document, the listed keys and the keys of a big segment are independent. Each of the three
 * therefore keeps its own order, and lists of 15,000 keys are not drafted.
 *
 * @param newId generates the ids of rules and clauses.
 */
export function editSegment(
  segment: Segment,
  instructions: readonly SegmentInstruction[],
  newId: () => string,
): SegmentEditResult {
  const targets: TargetEdit[] = []
  const membership: SideEdit[] = []
  const imports: ProcessImport[] = []
  const errors: ValidationError[] = []
  const edited = produce(segment, (draft) => {
    for (const [index, instruction] of instructions.entries()) {
      const error = apply(instruction, index)
      if (error) errors.push({ ...error, attribute: `instructions.${index}.${error.attribute}` })
    }

    function apply(instruction: SegmentInstruction, index: number): rules.EditError | undefined {
      if (isTargetInstruction(instruction)) return editTarget(targetEditOf(instruction))
      if (isDocumentInstruction(instruction)) return editDocument(draft, instruction, newId)
      if (!isBigInstruction(instruction)) {
        imports.push({ importId: instruction.importId, attribute: `instructions.${index}.importId` })
      } else if (segment.unbounded) membership.push(sideEditOf(instruction))
      else return { attribute: 'kind', reason: 'is allowed for big segments only' }
    }

    /** Collects an edit of the targets. The keys of a big segment are in its sets, and have one context kind. */
    function editTarget(edit: TargetEdit): rules.EditError | undefined {
      if (!segment.unbounded) targets.push(edit)
      else if (edit.contextKind === segment.unboundedContextKind) membership.push(edit)
      else {
        const reason = `must be ${segment.unboundedContextKind}: a big segment contains contexts of one kind`
        return { attribute: 'contextKind', reason }
      }
    }
  })
  if (countKeys([...targets, ...membership]) > maxKeysPerRequest) {
    errors.push({ attribute: 'instructions', reason: `must name at most ${maxKeysPerRequest} keys together` })
  }
  const [imported, ...others] = imports
  if (imported && others.length + membership.length > 0) {
    const reason = 'must be processed separately: no other instruction may change keys of the segment'
    errors.push({ attribute: imported.attribute, reason })
  }
  return { segment: editTargets(edited, targets), membership, imported, errors }
}

function editDocument(
  draft: Draft<Segment>,
  instruction: DocumentInstruction,
  newId: () => string,
): rules.EditError | undefined {
  switch (instruction.kind) {
    case 'addTags':
      draft.tags = [...new Set([...draft.tags, ...instruction.values])]
      return undefined
    case 'removeTags':
      draft.tags = draft.tags.filter((tag) => !instruction.values.includes(tag))
      return undefined
    case 'updateName':
      draft.name = instruction.value
      return undefined
    default:
      return editRules(draft.rules, instruction, newId)
  }
}

type RuleInstruction = Exclude<DocumentInstruction, { kind: 'addTags' | 'removeTags' | 'updateName' }>

function editRules(
  list: Draft<Segment>['rules'],
  instruction: RuleInstruction,
  newId: () => string,
): rules.EditError | undefined {
  switch (instruction.kind) {
    case 'addRule': {
      const { kind, clauses, ...rest } = instruction
      return rules.addRule(list, castDraft({ ...rest, _id: newId(), clauses: withClauseIds(clauses, newId) }))
    }
    case 'removeRule':
      return rules.removeRule(list, instruction.ruleId)
    case 'reorderRules':
      return rules.reorderRules(list, instruction.ruleIds)
    case 'updateRuleDescription':
      return rules.updateRuleDescription(list, instruction.ruleId, instruction.description)
    case 'updateRuleRolloutAndContextKind':
      return rules.withRule(list, instruction.ruleId, (rule) => {
        rule.weight = instruction.weight
        rule.rolloutContextKind = instruction.contextKind
      })
    case 'addClauses':
      return rules.addClauses(list, instruction.ruleId, withClauseIds(instruction.clauses, newId))
    case 'removeClauses':
      return rules.removeClauses(list, instruction.ruleId, instruction.clauseIds)
    case 'updateClause':
      return rules.updateClause(list, instruction, instruction.clause)
    case 'addValuesToClause':
      return rules.addValuesToClause(list, instruction, instruction.values)
    case 'removeValuesFromClause':
      return rules.removeValuesFromClause(list, instruction, instruction.values)
  }
}
