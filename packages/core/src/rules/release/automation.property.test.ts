import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wholeWeight } from '../targeting/serve.ts'
import {
  type Automation,
  endAutomation,
  holdAutomation,
  isActive,
  type ReleaseStage,
  resumeAutomation,
  servedByAutomation,
  startAutomation,
  stepAutomation,
} from './automation.ts'

const stage = fc.record({
  allocation: fc.integer({ min: 0, max: wholeWeight }),
  durationMillis: fc.integer({ min: 0, max: 50 }),
})
const stages = fc
  .array(stage, { maxLength: 6 })
  .map((list) => list.toSorted((a, b) => a.allocation - b.allocation)) satisfies fc.Arbitrary<ReleaseStage[]>

const moves = {
  step: stepAutomation<Automation>,
  hold: (automation: Automation, now: number) => holdAutomation(automation, now),
  resume: resumeAutomation<Automation>,
  stop: (automation: Automation, now: number) =>
    endAutomation(automation, { status: 'stopped', now, reason: 'by hand' }),
  rollBack: (automation: Automation, now: number) =>
    endAutomation(automation, { status: 'rolledBack', now, reason: 'regression' }),
} as const

const move = fc.record({
  wait: fc.integer({ min: 0, max: 80 }),
  does: fc.constantFrom('step', 'step', 'step', 'hold', 'resume', 'stop', 'rollBack') as fc.Arbitrary<
    keyof typeof moves
  >,
})

const variations = { original: 1, target: 0, contextKind: 'user' }

/** Returns all states of a release in which moves are made, with their times. */
function statesOf(list: readonly ReleaseStage[], steps: readonly { wait: number; does: keyof typeof moves }[]) {
  let now = 1_000
  const states = [
    { now, does: 'start', automation: startAutomation({ kind: 'progressive', stages: list }, now) as Automation },
  ]
  for (const { wait, does } of steps) {
    now += wait
    states.push({ now, does, automation: moves[does]((states.at(-1) as (typeof states)[number]).automation, now) })
  }
  return states
}

it('a release passes the stages in order, each once and for its whole duration while the release runs', () => {
  fc.assert(
    fc.property(stages, fc.array(move, { maxLength: 40 }), (list, steps) => {
      const states = statesOf(list, steps)
      let served = 0
      for (const [index, { now, automation }] of states.entries()) {
        const before = states[index - 1]
        if (!before) continue
        const { automation: previous } = before
        if (previous.status === 'running') served += now - before.now
        const advances =
          automation.stage !== previous.stage || (automation.status === 'completed' && isActive(previous))
        if (!advances) continue
        expect(served).toBeGreaterThanOrEqual((list[previous.stage] as ReleaseStage).durationMillis)
        if (automation.status === 'completed') expect(previous.stage).toBe(list.length - 1)
        else expect(automation.stage).toBe(previous.stage + 1)
        served = 0
      }
    }),
  )
})

it('a release keeps every context in the target variation until it is rolled back or stopped', () => {
  fc.assert(
    fc.property(stages, fc.array(move, { maxLength: 40 }), (list, steps) => {
      let weight = 0
      for (const { automation } of statesOf(list, steps)) {
        const serve = servedByAutomation(automation, variations)
        if (automation.status === 'rolledBack') expect(serve).toEqual({ variation: 1 })
        if (automation.status === 'rolledBack' || !serve) return
        const [target, original] = serve.rollout?.variations ?? [{ variation: serve.variation, weight: wholeWeight }]
        expect(target?.variation).toBe(0)
        expect((target?.weight ?? 0) + (original?.weight ?? 0)).toBe(wholeWeight)
        expect(target?.weight).toBeGreaterThanOrEqual(weight)
        weight = target?.weight ?? 0
      }
    }),
  )
})

it('a release does not leave a final state, and has a next step exactly while it runs', () => {
  fc.assert(
    fc.property(stages, fc.array(move, { maxLength: 40 }), (list, steps) => {
      const states = statesOf(list, steps)
      for (const [index, { automation }] of states.entries()) {
        const previous = states[index - 1]?.automation
        if (previous && !isActive(previous)) expect(automation).toEqual(previous)
        expect(automation.nextStepAt !== undefined).toBe(automation.status === 'running')
        expect(automation.remainingMillis !== undefined).toBe(automation.status === 'held')
        expect(automation.endedAt !== undefined).toBe(!isActive(automation))
      }
    }),
  )
})
