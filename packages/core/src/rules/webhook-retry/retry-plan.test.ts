import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxRetryAfter, nextAttemptAt, retryAfterAt, retryDelays } from './retry-plan.ts'

const now = Date.UTC(2026, 0, 1)
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('nextAttemptAt', () => {
  it('adds less than a tenth to the delay, for every attempt and every random number', () => {
    const attempts = fc.integer({ min: 1, max: retryDelays.length })
    fc.assert(
      fc.property(attempts, chance, (attempt, random) => {
        const delay = retryDelays[attempt - 1] as number
        const wait = (nextAttemptAt({ attempt, now, chance: random }) as number) - now
        expect(Number.isInteger(wait)).toBe(true)
        expect(wait).toBeGreaterThanOrEqual(delay)
        expect(wait).toBeLessThan(delay * 1.1)
      }),
    )
  })

  it('adds between nothing and a tenth of the delay, by a random number from 0 to 1', () => {
    expect(nextAttemptAt({ attempt: 1, now, chance: 0 })).toBe(now + 5_000)
    expect(nextAttemptAt({ attempt: 1, now, chance: 0.9999 })).toBe(now + 5_499)
  })

  it('returns no time before the time that the receiver requests', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        chance,
        fc.integer({ min: 0, max: maxRetryAfter }),
        (attempt, random, wait) => {
          const plain = nextAttemptAt({ attempt, now, chance: random }) as number
          const delayed = nextAttemptAt({ attempt, now, chance: random, notBefore: now + wait })
          expect(delayed).toBe(wait > plain - now ? now + wait : plain)
        },
      ),
    )
  })

  it('returns undefined after the tenth attempt', () => {
    expect(nextAttemptAt({ attempt: 9, now, chance: 0 })).toBeDefined()
    for (const attempt of [10, 11, 100])
      expect(nextAttemptAt({ attempt, now, chance: 0, notBefore: now })).toBeUndefined()
  })
})

describe('retryAfterAt', () => {
  it('accepts seconds, up to a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999_999 }), (seconds) => {
        expect(retryAfterAt(String(seconds), now)).toBe(now + Math.min(seconds * 1_000, maxRetryAfter))
      }),
    )
  })

  it('accepts a date', () => {
    expect(retryAfterAt('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(now + 60_000)
    expect(retryAfterAt('Friday, 01-Jan-27 00:00:00 GMT', now)).toBe(now + maxRetryAfter)
  })

  it.each([undefined, '', '0', '-5', '1.5', 'soon', 'Soon', '1e3', '99999999999', 'Thu, 01 Jan 2025 00:00:00 GMT'])(
    'returns undefined for %j',
    (header) => {
      expect(retryAfterAt(header, now)).toBeUndefined()
    },
  )

  it('never returns more than a day from now', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const time = retryAfterAt(header, now) ?? now + 1
        expect(time > now && time <= now + maxRetryAfter).toBe(true)
      }),
    )
  })
})
