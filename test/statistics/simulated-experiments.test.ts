import { describe, expect, it } from 'vitest'
import { longTests } from '../setup/long-tests.ts'
import { draws, isFalsePositive, randomOf, releaseVerdict } from './simulated-experiments.ts'

/** Number of simulated experiments or releases; `HALYARD_LONG_TESTS=1` simulates all. */
const repetitions = longTests ? 2_000 : 150

const level = 0.05
const plan = { days: 28, unitsPerDay: 250, level }

/**
 * Maximum number of false positives. In long runs it is the number at the stated level. With fewer simulations chance
 * matters more, so the number is larger: a correct method exceeds it with a probability below 0.001.
 */
const accepted = longTests
  ? level * repetitions
  : level * repetitions + 3.1 * Math.sqrt(level * (1 - level) * repetitions)

function count(seed: number, happens: (random: () => number) => boolean): number {
  const random = randomOf(seed)
  let total = 0
  for (let i = 0; i < repetitions; i++) total += Number(happens(random))
  return total
}

describe(`${repetitions} experiments without difference, whose results are read every day for four weeks`, () => {
  it.each([
    ['conversion', 101],
    ['events', 102],
    ['revenue', 103],
  ] as const)(
    'are significant by the sequential method no more often than its level allows: %s, seed %d',
    (metric, seed) => {
      const positives = count(seed, (random) =>
        isFalsePositive(random, { ...plan, draw: draws[metric], method: 'sequential' }),
      )
      console.info(`${metric}: ${positives} of ${repetitions} are significant by the sequential method`)
      expect(positives).toBeLessThanOrEqual(accepted)
    },
  )

  it('are significant by the frequentist method far more often than its level: conversion, seed 101', () => {
    const options = { ...plan, draw: draws.conversion, method: 'frequentist' } as const
    const positives = count(101, (random) => isFalsePositive(random, options))
    console.info(`conversion: ${positives} of ${repetitions} are significant by the frequentist method`)
    expect(positives).toBeGreaterThan(3 * level * repetitions)
  })
})

describe(`${repetitions} guarded releases with three metrics in three stages, judged every day for two weeks`, () => {
  it('are rolled back in at least 90 percent when errors rise from 2 to 3 percent, seed 201', () => {
    const stopped = count(201, (random) => releaseVerdict(random, 0.03) === 'regression')
    console.info(`${stopped} of ${repetitions} releases with a regression are rolled back`)
    expect(stopped).toBeGreaterThanOrEqual(0.9 * repetitions)
  })

  it('are stopped in at most 5 percent when nothing changes, seed 202', () => {
    const stopped = count(202, (random) => releaseVerdict(random, 0.02) !== 'healthy')
    console.info(`${stopped} of ${repetitions} releases without regression are stopped`)
    expect(stopped).toBeLessThanOrEqual(accepted)
  })
})
