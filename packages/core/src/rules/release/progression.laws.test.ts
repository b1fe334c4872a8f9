import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  advancePhase,
  completePhase,
  currentPhase,
  initialStatuses,
  type PhaseStatus,
  phaseStatuses,
} from './progression.ts'

/** Model of a release: the number of completed phases, and the status of the next one. */
interface Passage {
  done: number
  current: 'ReadyToStart' | 'Started' | 'Paused'
}

/** Returns the model after a request; undefined if the request is rejected. */
function passed(passage: Passage, count: number, index: number, status: PhaseStatus): Passage | undefined {
  const { done, current } = passage
  if (index < done) return status === 'Complete' ? passage : undefined
  if (index > done) return status === 'NotStarted' ? passage : undefined
  if (index >= count) return undefined
  if (status === current) return passage
  if (status === 'Started') return { done, current: 'Started' }
  if (current !== 'Started') return undefined
  if (status === 'Paused') return { done, current: 'Paused' }
  return status === 'Complete' ? { done: done + 1, current: 'ReadyToStart' } : undefined
}

function told({ done, current }: Passage, count: number): PhaseStatus[] {
  return Array.from({ length: count }, (_, at) => (at < done ? 'Complete' : at === done ? current : 'NotStarted'))
}

const release = fc.integer({ min: 1, max: 6 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    // Most requests are about the current phase; otherwise the release would hardly progress.
    requests: fc.array(
      fc.record({ skip: fc.constantFrom(0, 0, 0, 0, 1, -1, 2), status: fc.constantFrom(...phaseStatuses) }),
      { maxLength: 40 },
    ),
  }),
)

describe('advancePhase', () => {
  it('changes the statuses as the model does', () => {
    fc.assert(
      fc.property(release, ({ count, requests }) => {
        let passage: Passage = { done: 0, current: 'ReadyToStart' }
        let statuses: readonly PhaseStatus[] = initialStatuses(count)
        expect(statuses).toEqual(told(passage, count))
        for (const { skip, status } of requests) {
          const index = Math.min(count - 1, Math.max(0, passage.done + skip))
          const next = passed(passage, count, index, status)
          const advance = advancePhase(statuses, index, status)
          expect(advance.ok).toBe(next !== undefined)
          if (!advance.ok || !next) continue
          passage = next
          statuses = advance.statuses
          expect(statuses).toEqual(told(passage, count))
          expect(currentPhase(statuses)).toBe(passage.done < count ? passage.done : -1)
        }
      }),
    )
  })
})

describe('completePhase', () => {
  it('completes all phases one after the other, and none before its predecessor', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(5), (count, ahead) => {
        let statuses: readonly PhaseStatus[] = initialStatuses(count)
        for (let at = 0; at < count; at++) {
          const early = at + 1 + ahead
          if (early < count) expect(completePhase(statuses, early).ok).toBe(false)
          const step = completePhase(statuses, at)
          if (!step.ok) throw new Error(step.reason)
          statuses = step.statuses
          expect(completePhase(statuses, at)).toEqual({ ok: true, statuses })
        }
        expect(new Set(statuses)).toEqual(new Set(['Complete']))
      }),
    )
  })

  it('restarts and completes a paused phase', () => {
    expect(completePhase(['Paused', 'NotStarted'], 0)).toEqual({ ok: true, statuses: ['Complete', 'ReadyToStart'] })
  })
})

describe('the reason of advancePhase', () => {
  it.each<[PhaseStatus, PhaseStatus, string]>([
    ['NotStarted', 'Started', 'must wait until the phases before it are complete'],
    ['ReadyToStart', 'Complete', 'must be Started, not Complete, after ReadyToStart'],
    ['Started', 'NotStarted', 'must be Paused or Complete, not NotStarted, after Started'],
    ['Paused', 'Complete', 'must be Started, not Complete, after Paused'],
    ['Complete', 'Started', 'must stay Complete: a completed phase cannot be changed'],
  ])('explains why %s cannot become %s', (from, to, reason) => {
    expect(advancePhase([from], 0, to)).toEqual({ ok: false, reason })
  })
})
