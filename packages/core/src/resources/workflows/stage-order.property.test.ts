import fc from 'fast-check'
import { expect, it } from 'vitest'
import { approval, minute, stage, start, turnOn, wait, workflowProject } from './test/workflow-project.ts'

/** A condition: the minutes that it waits, or a review. */
type ConditionPlan = number | 'review'

interface StagePlan {
  readonly conditions: readonly ConditionPlan[]
  readonly inSequence: boolean
}

const plans: fc.Arbitrary<readonly StagePlan[]> = fc.array(
  fc.record({
    conditions: fc.array(fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant('review' as const)), { maxLength: 3 }),
    inSequence: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
)

/** Minutes until the next run of tasks, and true if a reviewer approves the open requests before it. */
const steps = fc.array(fc.record({ minutes: fc.integer({ min: 0, max: 4 }), approves: fc.boolean() }), {
  maxLength: 10,
})

/**
 * Computes the minute at which each stage is applied, only from the times of the runs and of the approvals.
 *
 * @param runs minutes of the runs of tasks, in order.
 * @param approvals minutes of the approvals; each comes before the run of the same minute.
 */
function expectedMinutes(
  stages: readonly StagePlan[],
  runs: readonly { readonly minute: number; readonly approves: boolean }[],
): readonly number[] {
  const applied: number[] = []
  // The index of the run in which a stage starts. The first one starts before all runs.
  let startRun = -1
  let startMinute = 0
  for (const plan of stages) {
    const heldUntil = heldAt(plan, startRun, startMinute, runs)
    if (!heldUntil) break
    applied.push(heldUntil.minute)
    startRun = heldUntil.run
    startMinute = heldUntil.minute
  }
  return applied
}

interface HeldRun {
  readonly run: number
  readonly minute: number
}

/** Returns the first run in which all conditions of a stage hold. */
function heldAt(
  { conditions, inSequence }: StagePlan,
  startRun: number,
  startMinute: number,
  runs: readonly { readonly minute: number; readonly approves: boolean }[],
): HeldRun | undefined {
  const firstRun = (from: number, test: (run: { readonly minute: number; readonly approves: boolean }) => boolean) => {
    const index = runs.findIndex((run, position) => position >= from && test(run))
    return index < 0 ? undefined : index
  }
  let run = Math.max(startRun, 0)
  if (runs.length === 0) return undefined
  let turn = { run: startRun, minute: startMinute }
  for (const condition of conditions) {
    const began = inSequence ? turn : { run: startRun, minute: startMinute }
    if (condition === 'review') {
      // A request that is made in a run can be approved before the next run.
      const approvedIn = firstRun(began.run + 1, ({ approves }) => approves)
      if (approvedIn === undefined) return undefined
      turn = { run: approvedIn, minute: runs[approvedIn]?.minute ?? 0 }
    } else {
      const due = began.minute + condition
      const foundIn = firstRun(Math.max(began.run, 0), ({ minute: now }) => now >= due)
      if (foundIn === undefined) return undefined
      // A wait ends at its time, even if a later run finds out that it has ended.
      turn = { run: Math.max(foundIn, began.run), minute: due }
    }
    run = Math.max(run, turn.run)
  }
  return { run, minute: runs[run]?.minute ?? 0 }
}

it('a workflow applies its stages in order, each in the first run of tasks in which its conditions hold', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plans, steps, async (stages, moves) => {
      const { post, pass, run, approveAll, load } = await workflowProject()
      const { _id } = await post(
        stages.map(({ conditions, inSequence }) =>
          stage(
            conditions.map((each) => (each === 'review' ? approval : wait(each))),
            turnOn,
            { executeConditionsInSequence: inSequence },
          ),
        ),
      )
      let now = 0
      const runs: { minute: number; approves: boolean }[] = []
      for (const { minutes, approves } of moves) {
        now += minutes
        pass(minutes * minute)
        if (approves) await approveAll()
        await run()
        runs.push({ minute: now, approves })
      }
      const { stages: shown } = await load(_id)
      const applied = shown.flatMap(({ _execution: { status, stopDate } }) =>
        status === 'completed' ? [(Number(stopDate) - start) / minute] : [],
      )
      expect(applied).toEqual(expectedMinutes(stages, runs))
    }),
    { numRuns: 60 },
  )
})
