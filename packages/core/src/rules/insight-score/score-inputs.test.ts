import { describe, expect, it } from 'vitest'
import { creationRatioInput, deploymentInputs, flagHealthInput, leadTimeInput, scorePeriods } from './index.ts'

const day = 86_400_000
const hour = 3_600_000
const now = Date.UTC(2028, 2, 1)
const { period, lastPeriod } = scorePeriods(now)

/** Samples as columns, in order of time; `values` of each is one row. */
function columns(rows: readonly { at: number; label?: string; values: readonly number[] }[]) {
  const labels = [...new Set(rows.map(({ label = 'shop' }) => label))]
  return {
    at: Float64Array.from(rows, ({ at }) => at),
    labels,
    label: Uint32Array.from(rows, ({ label = 'shop' }) => labels.indexOf(label)),
    values: [0, 1, 2, 3].map((c) => Float64Array.from(rows, ({ values }) => values[c] ?? Number.NaN)),
  }
}

describe('deployments', () => {
  const ends = columns([
    { at: now - 30 * day, values: [1] },
    { at: now - 30 * day + 1, values: [1] },
    { at: now - day, values: [0], label: 'blog' },
    { at: now - day, values: [Number.NaN] },
    { at: now, values: [1] },
    { at: now, values: [1], label: 'blog' },
    { at: now + 1, values: [1] },
  ])

  it('count in the period in which they ended: its end belongs to it, its start does not', () => {
    expect(deploymentInputs(ends, period, undefined)).toEqual({
      deploymentFrequency: 3 / 30,
      deploymentFailureRate: 1 / 4,
    })
    expect(deploymentInputs(ends, lastPeriod, undefined)).toEqual({
      deploymentFrequency: 1 / 30,
      deploymentFailureRate: 0,
    })
  })

  it('of other applications do not count', () => {
    expect(deploymentInputs(ends, period, ['blog'])).toEqual({
      deploymentFrequency: 1 / 30,
      deploymentFailureRate: 1 / 2,
    })
    expect(deploymentInputs(ends, period, ['other'])).toEqual({
      deploymentFrequency: 0,
      deploymentFailureRate: 'notCalculated',
    })
  })
})

describe('lead time', () => {
  const sample = (at: number, hours: number, label = 'shop') => ({ at, label, values: [at - hours * hour] })

  it('is the median of what was deployed in the period', () => {
    const samples = columns([
      sample(now - 30 * day, 500),
      sample(now - 20 * day, 10),
      sample(now - 10 * day, 40, 'blog'),
      sample(now, 20),
    ])
    expect(leadTimeInput(samples, period, undefined)).toBe(20 * hour)
    expect(leadTimeInput(samples, period, ['shop'])).toBe(15 * hour)
    expect(leadTimeInput(samples, lastPeriod, undefined)).toBe(500 * hour)
  })

  it('is not calculated where nothing was deployed, or only what ended before it started', () => {
    expect(leadTimeInput(columns([]), period, undefined)).toBe('notCalculated')
    expect(leadTimeInput(columns([sample(now, -1)]), period, undefined)).toBe('notCalculated')
  })
})

describe('flag health', () => {
  const flag = (key: string, more: object = {}) => ({ key, temporary: true, createdAt: now - 90 * day, ...more })
  const since = (...entries: [string, number][]) => new Map(entries)

  it.each([
    ['launched for a week', flag('a'), now - 7 * day, 1],
    ['launched a little later', flag('a'), now - 7 * day + 1, 0],
    ['thirty days old', flag('a', { createdAt: now - 30 * day }), now - 20 * day, 0],
    ['a little older', flag('a', { createdAt: now - 30 * day - 1 }), now - 20 * day, 1],
  ])('counts a flag as stale that is %s: %#', (_, one, launched, expected) => {
    expect(flagHealthInput([one], since(['a', launched]), period)).toBe(expected)
  })

  it('is the share of stale flags of the temporary ones that are there', () => {
    const flags = [
      flag('stale'),
      flag('active'),
      flag('permanent', { temporary: false }),
      flag('archived', { archivedAt: now }),
      flag('created later', { createdAt: now + 1 }),
      flag('new', { createdAt: now }),
    ]
    const launched = now - 60 * day
    expect(
      flagHealthInput(flags, since(['stale', launched], ['permanent', launched], ['archived', launched]), period),
    ).toBe(1 / 3)
  })

  it('tells of the end of the period, with what was archived only later', () => {
    const flags = [flag('archived', { archivedAt: now - 29 * day }), flag('active')]
    const launched = since(['archived', now - 60 * day])
    expect(flagHealthInput(flags, launched, lastPeriod)).toBe(1 / 2)
    expect(flagHealthInput(flags, launched, period)).toBe(0)
  })

  it('is not calculated without temporary flags', () => {
    expect(flagHealthInput([flag('a', { temporary: false })], since(), period)).toBe('notCalculated')
  })
})

describe('the ratio of creation', () => {
  const flag = (createdAt: number, archivedAt?: number) => ({
    key: 'a',
    temporary: false,
    createdAt,
    ...(archivedAt === undefined ? {} : { archivedAt }),
  })

  it('is how many were archived for each that was created', () => {
    const flags = [flag(now), flag(now - day), flag(now - 40 * day, now), flag(now - 40 * day)]
    expect(creationRatioInput(flags, period)).toBe(1 / 2)
    expect(creationRatioInput(flags, lastPeriod)).toBe(0)
  })

  it('is not calculated where none was created', () => {
    expect(creationRatioInput([flag(now - 90 * day, now)], period)).toBe('notCalculated')
  })
})
