import * as v from 'valibot'
import { key, list, moment, storedOnly, text } from '../../operation/schema.ts'
import { waitUnits } from '../../rules/workflow/stage-progress.ts'
import { flagInstructionList } from '../flags/instructions/flag-instruction.ts'

const maxStages = 50
const maxConditions = 10
/** Ten years in minutes. */
const maxWait = 5_256_000

const wait = () =>
  v.pipe(
    v.number(),
    v.integer('must be an integer'),
    v.minValue(0, 'must not be negative'),
    v.maxValue(maxWait, `must be at most ${maxWait}`),
  )

const schedule = v.pipe(
  v.strictObject({
    kind: v.literal('schedule'),
    /** Default: `absolute` with an `executionDate`, otherwise `relative`. */
    scheduleKind: v.optional(v.picklist(['absolute', 'relative'], 'must be one of absolute, relative')),
    /** Integer ms, UTC. */
    executionDate: v.optional(moment()),
    /** Time from the beginning of the condition, in units of `waitDurationUnit`. */
    waitDuration: v.optional(wait()),
    waitDurationUnit: v.optional(v.picklist(waitUnits, `must be one of ${waitUnits.join(', ')}`)),
    /** True: the condition holds immediately when it begins. Default false. */
    executeNow: v.optional(v.boolean(), false),
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { executeNow, executionDate, waitDuration, waitDurationUnit, ...rest } = dataset.value
    const { scheduleKind = executionDate === undefined ? 'relative' : 'absolute' } = rest
    if (executeNow) {
      return {
        kind: 'schedule',
        scheduleKind: 'relative',
        waitDuration: 0,
        waitDurationUnit: 'calendarMinute',
      } as const
    }
    if (scheduleKind === 'absolute') return { kind: 'schedule', scheduleKind, executionDate } as const
    if (waitDuration !== undefined && waitDurationUnit !== undefined) {
      return { kind: 'schedule', scheduleKind, waitDuration, waitDurationUnit } as const
    }
    addIssue({ message: 'must have executionDate, waitDuration with waitDurationUnit, or executeNow' })
    return NEVER
  }),
)

const approval = v.strictObject({
  kind: v.literal('ld-approval'),
  /** Text for the reviewers. Default: the names of the workflow and of the stage. */
  description: v.optional(text()),
  notifyMemberIds: v.optional(v.array(v.string()), []),
  notifyTeamKeys: v.optional(storedOnly(v.array(key())), []),
})

const stage = v.strictObject({
  name: v.optional(text()),
  executeConditionsInSequence: v.optional(v.boolean(), false),
  conditions: v.optional(
    v.pipe(
      list(v.variant('kind', [schedule, approval])),
      v.maxLength(maxConditions, `must contain at most ${maxConditions} conditions`),
    ),
    [],
  ),
  action: v.strictObject({
    instructions: flagInstructionList,
  }),
})

const stageList = v.pipe(
  list(stage),
  v.minLength(1, 'must contain at least 1 stage'),
  v.maxLength(maxStages, `must contain at most ${maxStages} stages`),
)

/** Type of `stagesBody`. The declarations of operations name it instead of repeating the schemas of all conditions. */
export interface StagesSchema extends v.GenericSchema<readonly v.InferInput<typeof stage>[], readonly StageInput[]> {}

/** Request schema of the stages of a workflow or of a template. */
export const stagesBody: StagesSchema = stageList

export type StageInput = v.InferOutput<typeof stage>

export type ConditionInput = StageInput['conditions'][number]
