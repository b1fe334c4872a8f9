import type { Loss } from '../moved-project.ts'
import { pointer, strangers } from '../read-shape.ts'
import type { PlacedPayload } from './growthbook-export.ts'

const ofDefinition = new Set(['defaultValue', 'rules', 'id', 'key', 'project', 'projects', 'metadata'])

/** Properties that are read, and those that only configure the original hash or what is counted. */
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

/** Reports everything in a feature that the import does not read. */
export function strangersIn({ features, environmentKey }: PlacedPayload, keyOf: (id: string) => string): Loss[] {
  return [...features].flatMap(([id, { definition, at }]) => {
    const about = { flag: keyOf(id), environment: environmentKey }
    const rules = (definition.rules ?? []).flatMap((rule, index) =>
      strangers(rule, ofRule, pointer(at, 'rules', index), about),
    )
    return [...strangers(definition, ofDefinition, at, about), ...rules]
  })
}
