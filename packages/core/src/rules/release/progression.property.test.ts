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
interface ReleaseModel {
  completedCount: number
  current: 'ReadyToStart' | 'Started' | 'Paused'
}

/** Returns the model after a request; undefined if the request is rejected. */
function advanceModel(
  model: ReleaseModel,
  count: number,
  index: number,
  status: PhaseStatus,
): ReleaseModel | undefined {
  const { completedCount, current } = model
  if (index < completedCount) return status === 'Complete' ? model : undefined
  if (index > completedCount) return status === 'NotStarted' ? model : undefined
  if (index >= count) return undefined
  if (status === current) return model
  if (status === 'Started') return { completedCount, current: 'Started' }
  if (current !== 'Started') return undefined
  if (status === 'Paused') return { completedCount, current: 'Paused' }
  return status === 'Complete' ? { completedCount: completedCount + 1, current: 'ReadyToStart' } : undefined
}

function modelStatuses({ completedCount, current }: ReleaseModel, count: number): PhaseStatus[] {
  return Array.from({ length: count }, (_, index) =>
    index < completedCount ? 'Complete' : index === completedCount ? current : 'NotStarted',
  )
}

const release = fc.integer({ min: 1, max: 6 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    // Most requests are about the current phase, because the release would hardly progress otherwise.
    requests: fc.array(
      fc.record({ skip: fc.constantFrom(0, 0, 0, 0, 1, -1, 2), status: fc.constantFrom(...phaseStatuses) }),
      { maxLength: 40 },
    ),
  }),
)

describe('advancePhase', () => {
  it('changes the statuses as a second implementation does', () => {
    fc.assert(
      fc.property(release, ({ count, requests }) => {
        let model: ReleaseModel = { completedCount: 0, current: 'ReadyToStart' }
        let statuses: readonly PhaseStatus[] = initialStatuses(count)
        expect(statuses).toEqual(modelStatuses(model, count))
        for (const { skip, status } of requests) {
          const index = Math.min(count - 1, Math.max(0, model.completedCount + skip))
          const next = advanceModel(model, count, index, status)
          const advance = advancePhase(statuses, index, status)
          expect(advance.ok).toBe(next !== undefined)
          if (!advance.ok || !next) continue
          model = next
          statuses = advance.statuses
          expect(statuses).toEqual(modelStatuses(model, count))
          expect(currentPhase(statuses)).toBe(model.completedCount < count ? model.completedCount : -1)
        }
      }),
    )
  })
})

describe('completePhase', () => {
  it('completes all phases one after the other, and none before its predecessor', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(5), (count, distance) => {
        let statuses: readonly PhaseStatus[] = initialStatuses(count)
        for (let index = 0; index < count; index++) {
          const laterIndex = index + 1 + distance
          if (laterIndex < count) expect(completePhase(statuses, laterIndex).ok).toBe(false)
          const step = completePhase(statuses, index)
          if (!step.ok) throw new Error(step.reason)
          statuses = step.statuses
          expect(completePhase(statuses, index)).toEqual({ ok: true, statuses })
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
