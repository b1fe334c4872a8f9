import type { Loss } from '../imported-project.ts'
import { pointer, unknownProperties } from '../read-shape.ts'
import type { EnvironmentPayload } from './growthbook-export.ts'

const ofDefinition = new Set(['defaultValue', 'rules', 'id', 'key', 'project', 'projects', 'metadata'])

/** Properties that the import reads, and properties that only configure the original hash or the tracking. */
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
export function unknownPropertiesIn(
  { features, environmentKey }: EnvironmentPayload,
  keyOf: (id: string) => string,
): Loss[] {
  return [...features].flatMap(([id, { definition, path }]) => {
    const position = { flag: keyOf(id), environment: environmentKey }
    const rules = (definition.rules ?? []).flatMap((rule, index) =>
      unknownProperties(rule, ofRule, { at: pointer(path, 'rules', index), owner: position }),
    )
    return [...unknownProperties(definition, ofDefinition, { at: path, owner: position }), ...rules]
  })
}
