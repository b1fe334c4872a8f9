import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ImportedProject } from '../imported-project.ts'
import { unleashClientFeatures } from '../test/unleash-exports.ts'
import { readUnleash } from './read-unleash.ts'

type FeaturesResponse = typeof unleashClientFeatures extends fc.Arbitrary<infer T> ? T : never

/** Returns the server's export of the features that it sends to clients. */
function exportOf({ features, segments }: FeaturesResponse, strategiesBackwards: boolean): object {
  const strategies = features.flatMap(({ name, strategies: ownStrategies }) =>
    ownStrategies.map((strategy, sortOrder) => ({
      ...strategy,
      id: `${name}/${sortOrder}`,
      featureName: name,
      sortOrder,
    })),
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
    dependencies: features.flatMap((feature) =>
      'dependencies' in feature ? [{ feature: feature.name, dependencies: feature.dependencies }] : [],
    ),
    segments,
    tagTypes: [],
  }
}

function read(value: object): Pick<ImportedProject, 'flags' | 'segments'> {
  const result = readUnleash([value], {})
  if (!result.ok) throw new Error(`${result.at} ${result.reason}`)
  const { flags, segments } = result.importedProject
  return { flags, segments }
}

it('the export of a server and its response to clients are read as the same flags', () => {
  fc.assert(
    fc.property(unleashClientFeatures, fc.boolean(), (response, reversed) => {
      expect(read(exportOf(response, reversed))).toEqual(read(response))
    }),
    { numRuns: 300 },
  )
})
