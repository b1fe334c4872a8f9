import type { EvaluationContext } from '@halyard/core/evaluation'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { FlagFormat } from '../flag-format.ts'
import { compareExport } from './compare-export.ts'

export interface VendorProperty {
  readonly format: FlagFormat
  /** Exports of the vendor, each a list of the values in a file. */
  readonly exports: fc.Arbitrary<readonly unknown[]>
  readonly contexts: fc.Arbitrary<readonly EvaluationContext[]>
  readonly runs: number
  /** Number of exports of which one is written to an engine, because writing takes most of the time. */
  readonly writtenEvery: number
  /**
   * Minimum share of flags without losses. Without it, the property would also hold if everything were reported as a
   * loss.
   */
  readonly minLosslessShare: number
}

/** Expects that flags without losses evaluate as the vendor's own evaluator does, for any export. */
export async function evaluatesAsVendor({
  format,
  exports,
  contexts,
  runs,
  writtenEvery,
  minLosslessShare,
}: VendorProperty) {
  let compared = 0
  let lossless = 0
  let run = 0
  await fc.assert(
    fc.asyncProperty(exports, contexts, async (exported, contexts) => {
      const { comparisons, written, lossesOf } = await compareExport(format, exported, {
        contexts,
        sampled: 40,
        written: run++ % writtenEvery === 0,
      })
      expect(written.refused).toEqual([])
      for (const comparison of comparisons) {
        compared++
        if (lossesOf(comparison.flag, ['values', 'shares']).length > 0) continue
        lossless++
        expect(comparison.example).toBeUndefined()
      }
    }),
    { numRuns: runs },
  )
  expect(lossless / compared).toBeGreaterThanOrEqual(minLosslessShare)
}
