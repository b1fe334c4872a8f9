import type { api } from '../../api.ts'
import { readJson, readLines } from '../../components/json-text.ts'
import type { ServeDraft } from '../../targeting/draft.ts'
import { serveInput } from '../../targeting/instructions-of.ts'
import { isWhole } from '../../targeting/is-complete.ts'

type NewWorkflow = Parameters<typeof api.postWorkflow>[0]['body']

/** Stages as the API accepts them. */
export type StagesInput = NonNullable<NewWorkflow['stages']>

type InstructionInput = StagesInput[number]['action']['instructions'][number]

/** Unit of the time that a condition waits. */
export type WaitUnit = 'calendarMinute' | 'calendarHour' | 'calendarDay' | 'calendarWeek'

/**
 * A condition that a person enters. When the person selects another kind, the properties of the previous kind keep the
 * entered values.
 */
export interface ConditionDraft {
  readonly kind: 'wait' | 'date' | 'approval'
  /** Whole number, as text. */
  readonly wait: string
  readonly unit: WaitUnit
  /** Local time as the text of its field. */
  readonly date: string
  readonly reason: string
  /** Ids of members. */
  readonly memberIds: readonly string[]
  /** Keys of teams, one in each line. */
  readonly teams: string
}

/** An action that a person enters: one instruction, or several as JSON. */
export interface ActionDraft {
  readonly kind: 'turnFlagOn' | 'turnFlagOff' | 'serve' | 'serveOff' | 'other'
  readonly serve: ServeDraft
  /** Id of the off variation. */
  readonly offVariationId: string
  /** JSON list of instructions. */
  readonly text: string
}

/** A stage that a person enters. */
export interface StageDraft {
  readonly name: string
  readonly inSequence: boolean
  readonly conditions: readonly ConditionDraft[]
  readonly actions: readonly ActionDraft[]
}

/** Returns a condition to begin with: it waits for a day. */
export function newCondition(): ConditionDraft {
  return { kind: 'wait', wait: '1', unit: 'calendarDay', date: '', reason: '', memberIds: [], teams: '' }
}

/**
 * Returns an action to begin with: it turns the flag on.
 *
 * @param variationId variation that is chosen at first where an action serves one.
 */
export function newAction(variationId: string): ActionDraft {
  return { kind: 'turnFlagOn', serve: { variationId }, offVariationId: variationId, text: '' }
}

/** Returns a stage to begin with, which runs immediately. */
export function newStage(variationId: string): StageDraft {
  return { name: '', inSequence: false, conditions: [], actions: [newAction(variationId)] }
}

/** Reads a JSON list of instructions; undefined when the text is not such a list. */
export function readInstructions(text: string): readonly InstructionInput[] | undefined {
  const read = readJson(text)
  const list: unknown = 'value' in read ? read.value : undefined
  if (!Array.isArray(list) || list.length === 0) return undefined
  return list.every(isInstruction) ? list : undefined
}

/** Returns true for an object. The API validates the properties, and names an invalid one in its error. */
function isInstruction(item: unknown): item is InstructionInput {
  return typeof item === 'object' && item !== null
}

/** Returns true when stages can be sent: each percentage rollout is whole, and each list of instructions is JSON. */
export function areComplete(stages: readonly StageDraft[]): boolean {
  return stages.every(({ actions }) =>
    actions.every(({ kind, serve, text }) => {
      if (kind === 'serve') return isWhole(serve)
      return kind !== 'other' || readInstructions(text) !== undefined
    }),
  )
}

/** Returns complete stages as the API accepts them. */
export function stagesInput(stages: readonly StageDraft[]): StagesInput {
  return stages.map(({ name, inSequence, conditions, actions }) => ({
    ...(name === '' ? {} : { name }),
    ...(inSequence ? { executeConditionsInSequence: true } : {}),
    conditions: conditions.map(conditionInput),
    action: { instructions: actions.flatMap(instructionsOf) },
  }))
}

function conditionInput({ kind, wait, unit, date, reason, memberIds, teams }: ConditionDraft) {
  if (kind === 'date') return { kind: 'schedule' as const, executionDate: new Date(date).getTime() }
  if (kind === 'wait') return { kind: 'schedule' as const, waitDuration: Number(wait), waitDurationUnit: unit }
  const description = reason === '' ? {} : { description: reason }
  return {
    kind: 'ld-approval' as const,
    ...description,
    notifyMemberIds: [...memberIds],
    notifyTeamKeys: readLines(teams),
  }
}

function instructionsOf({ kind, serve, offVariationId, text }: ActionDraft): readonly InstructionInput[] {
  switch (kind) {
    case 'serve':
      return [{ kind: 'updateFallthroughVariationOrRollout', ...serveInput(serve) }]
    case 'serveOff':
      return [{ kind: 'updateOffVariation', variationId: offVariationId }]
    case 'other':
      return readInstructions(text) ?? []
    default:
      return [{ kind }]
  }
}
