import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sharesAgree } from './comparison/rollout-shares.ts'
import { fullWeight, scaleWeights } from './shares.ts'

const weights = fc.uniqueArray(fc.record({ variation: fc.nat(9), weight: fc.nat(2000) }), {
  selector: ({ variation }) => variation,
  minLength: 1,
})

it('weights are scaled to exactly the total, each changed by less than one', () => {
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: fullWeight }), (given, total) => {
      const sum = given.reduce((all, { weight }) => all + weight, 0)
      fc.pre(sum > 0)
      const parts = scaleWeights(given, total)
      expect(parts.reduce((all, { weight }) => all + weight, 0)).toBe(total)
      for (const { variation, weight } of given) {
        const part = parts.find((one) => one.variation === variation)?.weight ?? 0
        expect(Math.abs(part - (weight / sum) * total)).toBeLessThan(1)
      }
    }),
  )
})

it('weights of the same variation are added, and zero weights are omitted', () => {
  const twice = [
    { variation: 0, weight: 1 },
    { variation: 1, weight: 2 },
    { variation: 0, weight: 1 },
  ]
  expect(scaleWeights(twice, 100)).toEqual([
    { variation: 0, weight: 50 },
    { variation: 1, weight: 50 },
  ])
  expect(scaleWeights([{ variation: 0, weight: 0 }], 100)).toEqual([])
})

it('shares that differ by chance agree, and shares that really differ do not', () => {
  const tally = (on: number) =>
    new Map([
      ['true', on],
      ['false', 10_000 - on],
    ])
  expect(sharesAgree(tally(3000), tally(3100), 10_000)).toBe(true)
  expect(sharesAgree(tally(3000), tally(3600), 10_000)).toBe(false)
  expect(sharesAgree(tally(0), tally(1000), 10_000)).toBe(false)
  expect(sharesAgree(new Map([['1', 10_000]]), new Map([['2', 10_000]]), 10_000)).toBe(false)
})
