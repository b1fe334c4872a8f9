import { expect, it } from 'vitest'
import { leadTimeTier } from './index.ts'

const hours = (count: number) => count * 60 * 60 * 1000

it.each([
  [0, 'excellent'],
  [hours(24), 'excellent'],
  [hours(24) + 1, 'good'],
  [hours(168), 'good'],
  [hours(168) + 1, 'fair'],
  [hours(720), 'fair'],
  [hours(720) + 1, 'needsAttention'],
  [hours(100_000), 'needsAttention'],
])('leadTimeTier rates a mean lead time of %d ms as %s', (mean, tier) => {
  expect(leadTimeTier({ count: 1, mean })).toBe(tier)
})

it('leadTimeTier returns notCalculated for an empty set', () => {
  expect(leadTimeTier({ count: 0, mean: 0 })).toBe('notCalculated')
})
