import type { Loss } from '../moved-project.ts'
import { pointer, strangers } from '../read-shape.ts'
import type { PlacedPayload } from './growthbook-export.ts'

const ofDefinition = new Set(['defaultValue', 'rules', 'id', 'key', 'project', 'projects', 'metadata'])

/** Members that are read, and those that only say how the old hash is made or what is counted. */
const ofRule = new Set([
  ...['id', 'condition', 'parentConditions', 'force', 'variations', 'weights', 'coverage', 'range', 'ranges'],
  ...[
    'hashAttribute',
    'fallbackAttribute',
    'hashVersion',
    'disableStickyBucketing',
    'bucketVersion',
    'minBucketVersion',
  ],
  ...['namespace', 'filters', 'meta', 'key', 'name', 'phase', 'seed', 'tracks', 'experimentType', 'metadata'],
  ...['contextualBanditRef', 'contextualVariations'],
])

/** Tells of all that a feature holds and nobody reads. */
export function strangersIn({ features, environmentKey }: PlacedPayload, keyOf: (id: string) => string): Loss[] {
  return [...features].flatMap(([id, { definition, at }]) => {
    const about = { flag: keyOf(id), environment: environmentKey }
    const rules = (definition.rules ?? []).flatMap((rule, index) =>
      strangers(rule, ofRule, pointer(at, 'rules', index), about),
    )
    return [...strangers(definition, ofDefinition, at, about), ...rules]
  })
}
