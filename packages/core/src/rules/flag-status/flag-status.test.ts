import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FlagActivity, type FlagStatus, flagStatus, statusPeriod } from './flag-status.ts'

const day = 24 * 60 * 60 * 1000
const now = Date.UTC(2026, 5, 1)

/** A flag created 30 days ago that is on, serves one variation, has not changed since and was evaluated just now. */
const launched: FlagActivity = {
  createdAt: now - 30 * day,
  changedAt: now - 30 * day,
  on: true,
  servesOne: true,
  lastRequested: now,
}

describe('the status', () => {
  it.each<[string, Partial<FlagActivity>, FlagStatus]>([
    ['evaluated, on, the same for all and unchanged', {}, 'launched'],
    ['evaluated, on, the same for all and changed 7 days ago', { changedAt: now - 7 * day }, 'launched'],
    ['evaluated, on, the same for all and changed a millisecond later', { changedAt: now - 7 * day + 1 }, 'active'],
    ['evaluated, several variations', { servesOne: false }, 'active'],
    ['evaluated, off', { on: false }, 'active'],
    ['evaluated nearly 7 days ago', { lastRequested: now - 7 * day + 1 }, 'launched'],
    ['evaluated 7 days ago', { lastRequested: now - 7 * day }, 'inactive'],
    ['never evaluated', { lastRequested: null }, 'inactive'],
    ['never evaluated, created nearly 7 days ago', { lastRequested: null, createdAt: now - 7 * day + 1 }, 'new'],
    ['never evaluated, created 7 days ago', { lastRequested: null, createdAt: now - 7 * day }, 'inactive'],
    ['created and evaluated today', { createdAt: now, changedAt: now }, 'active'],
  ])('of a flag that is %s (%j) is %s', (_, overrides, expected) => {
    expect(flagStatus({ ...launched, ...overrides }, now)).toBe(expected)
  })

  it.each<[string, Partial<FlagActivity>, FlagStatus]>([
    ['on, the same for all and unchanged', {}, 'launched'],
    ['on, several variations', { servesOne: false }, 'active'],
    ['off, unchanged', { on: false }, 'inactive'],
    ['off, changed recently', { on: false, changedAt: now - day }, 'active'],
    ['off, changed 7 days ago', { on: false, changedAt: now - 7 * day }, 'inactive'],
    ['off, created recently and never changed', { on: false, createdAt: now - day, changedAt: now - day }, 'new'],
    ['off, created and changed recently', { on: false, createdAt: now - 2 * day, changedAt: now - day }, 'active'],
    ['on, created recently', { createdAt: now - 2 * day, changedAt: now - day }, 'active'],
  ])('of a flag that is %s (%j), without counts of evaluations, is %s', (_, overrides, expected) => {
    expect(flagStatus({ ...launched, lastRequested: undefined, ...overrides }, now)).toBe(expected)
  })

  it('is exactly the status whose condition applies', () => {
    const age = fc.integer({ min: 0, max: 20 * day })
    const activity = fc.record({
      created: age,
      changed: age,
      on: fc.boolean(),
      servesOne: fc.boolean(),
      requested: fc.option(age, { nil: null }),
    })
    fc.assert(
      fc.property(activity, ({ created, changed, on, servesOne, requested }) => {
        const status = flagStatus(
          {
            createdAt: now - created,
            changedAt: now - changed,
            on,
            servesOne,
            lastRequested: requested === null ? null : now - requested,
          },
          now,
        )
        const conditions: Readonly<Record<FlagStatus, boolean>> = {
          new: requested === null && created < statusPeriod,
          inactive: requested === null ? created >= statusPeriod : requested >= statusPeriod,
          launched: requested !== null && requested < statusPeriod && on && servesOne && changed >= statusPeriod,
          active: requested !== null && requested < statusPeriod && !(on && servesOne && changed >= statusPeriod),
        }
        expect(Object.entries(conditions).filter(([, applies]) => applies)).toEqual([[status, true]])
      }),
    )
  })
})
