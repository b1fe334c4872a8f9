/** Units of the time that a condition waits. A day has 24 hours and a week seven days, in every time zone. */
export const waitUnits = ['calendarMinute', 'calendarHour', 'calendarDay', 'calendarWeek'] as const

export type WaitUnit = (typeof waitUnits)[number]

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const millis: Readonly<Record<WaitUnit, number>> = {
  calendarMinute: minute,
  calendarHour: hour,
  calendarDay: day,
  calendarWeek: 7 * day,
}

/** A time before which a stage does not run: a date, or a duration from the moment at which the condition begins. */
export type ScheduleTerms =
  | { readonly kind: 'schedule'; readonly scheduleKind: 'absolute'; readonly executionDate: number }
  | {
      readonly kind: 'schedule'
      readonly scheduleKind: 'relative'
      readonly waitDuration: number
      readonly waitDurationUnit: WaitUnit
    }

/** The state of a condition. */
export interface ConditionState {
  readonly id: string
  /** Time at which the condition began: with its stage, or with the end of the condition before it. Integer ms. */
  readonly startedAt?: number
  /** Time since which the condition holds; absent while it does not. Integer ms. */
  readonly heldAt?: number
}

type Condition = ConditionState & (ScheduleTerms | { readonly kind: 'ld-approval' })

/** The conditions of a stage that has started, and their order. */
export interface StartedStage<C extends Condition = Condition> {
  readonly conditions: readonly C[]
  /**
   * True when each condition begins once the previous condition holds. Default: all conditions begin with the stage.
   */
  readonly executeConditionsInSequence?: boolean
  /** Integer ms. */
  readonly startedAt?: number
}

/**
 * Returns the time from which a schedule that has begun holds: integer ms, not before the schedule began.
 *
 * @returns undefined for an approval, and for a condition that has not begun.
 */
export function dueTimeOf(condition: Condition): number | undefined {
  const { startedAt } = condition
  if (condition.kind !== 'schedule' || startedAt === undefined) return undefined
  if (condition.scheduleKind === 'absolute') return Math.max(condition.executionDate, startedAt)
  return startedAt + condition.waitDuration * millis[condition.waitDurationUnit]
}

/**
 * Begins the conditions whose turn it is, and marks the conditions that hold. A schedule counts as holding since its
 * time, even when this function runs later, so that a wait after it does not become longer. An approval no longer holds
 * when reviewers take it back.
 *
 * @param isApproved returns true while reviewers have approved a condition.
 */
export function progressConditions<C extends Condition>(
  stage: StartedStage<C>,
  now: number,
  isApproved: (condition: C) => boolean,
): readonly C[] {
  const conditions: C[] = []
  let turn = stage.startedAt
  for (const condition of stage.conditions) {
    const startedAt = condition.startedAt ?? turn
    const { heldAt: earlier, ...rest } = condition
    const begun = { ...rest, ...(startedAt === undefined ? {} : { startedAt }) } as C
    const heldAt = startedAt === undefined ? undefined : holdsSince(begun, earlier, now, isApproved)
    conditions.push(heldAt === undefined ? begun : { ...begun, heldAt })
    if (stage.executeConditionsInSequence) turn = heldAt
  }
  return conditions
}

function holdsSince<C extends Condition>(
  condition: C,
  earlier: number | undefined,
  now: number,
  isApproved: (condition: C) => boolean,
): number | undefined {
  if (condition.kind === 'ld-approval') return isApproved(condition) ? (earlier ?? now) : undefined
  const due = dueTimeOf(condition) ?? Number.POSITIVE_INFINITY
  return due <= now ? due : undefined
}

/** Returns true when all conditions of a stage hold, so its action is due. */
export function isReady({ conditions }: Pick<StartedStage, 'conditions'>): boolean {
  return conditions.every(({ heldAt }) => heldAt !== undefined)
}

/**
 * Returns the next time at which a condition of a stage may begin to hold without a review: integer ms; undefined when
 * only reviewers can continue the stage.
 */
export function nextTimeOf({ conditions }: Pick<StartedStage, 'conditions'>): number | undefined {
  const times = conditions.flatMap((condition) => (condition.heldAt === undefined ? (dueTimeOf(condition) ?? []) : []))
  return times.length > 0 ? Math.min(...times) : undefined
}
