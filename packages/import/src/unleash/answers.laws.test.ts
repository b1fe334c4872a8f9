import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { MovedProject } from '../moved-project.ts'
import { unleashClientFeatures } from '../test/unleash-exports.ts'
import { readUnleash } from './read-unleash.ts'

type Answer = typeof unleashClientFeatures extends fc.Arbitrary<infer T> ? T : never

/** Returns the server's export of the features that it sends to clients. */
function exportOf({ features, segments }: Answer, strategiesBackwards: boolean): object {
  const strategies = features.flatMap(({ name, strategies: own }) =>
    own.map((strategy, sortOrder) => ({ ...strategy, id: `${name}/${sortOrder}`, featureName: name, sortOrder })),
  )
  return {
    features: features.map(({ name, type, impressionData }) => ({ name, type, impressionData, project: 'default' })),
    featureStrategies: strategiesBackwards ? strategies.toReversed() : strategies,
    featureEnvironments: features.map(({ name, enabled, variants }) => ({
      featureName: name,
      environment: 'production',
      enabled,
      variants,
    })),
    dependencies: features.flatMap((one) =>
      'dependencies' in one ? [{ feature: one.name, dependencies: one.dependencies }] : [],
    ),
    segments,
    tagTypes: [],
  }
}

function read(value: object): Pick<MovedProject, 'flags' | 'segments'> {
  const result = readUnleash([value], {})
  if (!result.ok) throw new Error(`${result.at} ${result.reason}`)
  const { flags, segments } = result.moved
  return { flags, segments }
}

it('the export of a server and its response to clients are read alike', () => {
  fc.assert(
    fc.property(unleashClientFeatures, fc.boolean(), (answer, backwards) => {
      expect(read(exportOf(answer, backwards))).toEqual(read(answer))
    }),
    { numRuns: 300 },
  )
})
