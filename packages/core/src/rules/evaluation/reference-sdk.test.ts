import type { LDContext } from '@launchdarkly/node-server-sdk'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longTests } from '../../../../../test/setup/long-tests.ts'
import { offlineSdk } from '../../../../../test/setup/reference-sdk.ts'
import { evaluate } from './evaluate.ts'
import { compileRuleset } from './ruleset.ts'
import { randomEnvironment } from './test/random-environment.ts'

/**
 * The SDK does not terminate for a cycle of segments that contains a big segment: see
 * docs/decisions/0024-evaluate-flags-synchronously.md.
 */
const environment = randomEnvironment.filter(({ segments }) =>
  segments.every(
    ({ unbounded, rules }) =>
      !unbounded || !rules?.some(({ clauses }) => clauses?.some(({ op }) => op === 'segmentMatch')),
  ),
)

/** Number of random environments. Each has five flags, each evaluated for four contexts. */
const environments = longTests ? 1200 : 60

it(`evaluation returns the values and reasons of the reference SDK for ${environments * 5} random flags`, {
  timeout: 600_000,
}, async () => {
  const { client, data } = await offlineSdk()
  try {
    await fc.assert(
      fc.asyncProperty(environment, async ({ flags, segments, contexts }) => {
        for (const segment of segments) await data.usePreconfiguredSegment(segment)
        for (const flag of flags) await data.usePreconfiguredFlag(flag)
        const ruleset = compileRuleset({ flags, segments })
        for (const context of contexts) {
          for (const { key } of flags) {
            const theirs = await client.variationDetail(key, context as unknown as LDContext, 'default')
            const { value = 'default', variationIndex, reason } = evaluate(ruleset, key, context)
            expect({ value, variationIndex, reason }).toEqual({
              ...theirs,
              variationIndex: theirs.variationIndex ?? null,
            })
          }
        }
      }),
      { numRuns: environments },
    )
  } finally {
    client.close()
  }
})
