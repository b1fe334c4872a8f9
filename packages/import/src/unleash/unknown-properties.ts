import type { Loss } from '../imported-project.ts'
import { pointer, unknownProperties } from '../read-shape.ts'
import type { UnleashEnvironment, UnleashFeature, UnleashStrategy, UnleashVariant } from './export.ts'

/**
 * Properties that the import reads, and properties that it ignores: times, people and positions have no counterpart,
 * and remain in the original service.
 */
const knownProperties = {
  response: new Set(['version', 'query', 'meta', 'contextFields', 'tagTypes', 'links', 'features', 'segments']),
  feature: new Set([
    ...['name', 'description', 'type', 'enabled', 'stale', 'archived', 'impressionData', 'strategies', 'variants'],
    ...['dependencies', 'tags', 'at', 'project', 'createdAt', 'lastSeenAt', 'archivedAt', 'staleAt', 'createdBy'],
    ...['createdByUserId', 'environments', 'favorite', 'sortOrder', 'links', 'lifecycle', 'collaborators'],
  ]),
  strategy: new Set([
    ...['name', 'title', 'disabled', 'parameters', 'constraints', 'segments', 'variants', 'id', 'featureName'],
    ...['sortOrder', 'projectId', 'environment', 'createdAt', 'milestoneId'],
  ]),
  constraint: new Set(['contextName', 'operator', 'values', 'value', 'inverted', 'caseInsensitive']),
  variant: new Set(['name', 'weight', 'weightType', 'stickiness', 'payload', 'overrides']),
  segment: new Set([
    ...['id', 'name', 'description', 'constraints', 'at', 'createdBy', 'createdAt', 'project', 'usedInFeatures'],
    ...['usedInProjects'],
  ]),
}

/** Reports every unknown property of an export, and disabled strategies. */
export function reportUnknownProperties(
  { unknownProperties: rest, at, features, segments }: UnleashEnvironment,
  keyOf: (name: string) => string,
  losses: Loss[],
): void {
  losses.push(...unknownProperties(rest, knownProperties.response, { at, owner: {} }))
  for (const segment of segments.values())
    losses.push(...unknownProperties(segment, knownProperties.segment, { at: segment.at, owner: {} }))
  for (const feature of features) losses.push(...inFeature(feature, { flag: keyOf(feature.name) }))
}

function inFeature(feature: UnleashFeature, owner: Partial<Loss>): Loss[] {
  const { at, strategies, variants } = feature
  return [
    ...unknownProperties(feature, knownProperties.feature, { at, owner }),
    ...inVariants(variants, at, owner),
    ...(strategies ?? []).flatMap((item, index) => inStrategy(item, pointer(at, 'strategies', index), owner)),
  ]
}

function inStrategy(strategy: UnleashStrategy, at: string, owner: Partial<Loss>): Loss[] {
  const disabledLoss: Loss[] = strategy.disabled
    ? [
        {
          ...owner,
          at,
          what: `strategy ${strategy.name}`,
          why: 'it is disabled',
          instead: 'left out',
          affects: 'nothing',
        },
      ]
    : []
  return [
    ...disabledLoss,
    ...unknownProperties(strategy, knownProperties.strategy, { at, owner }),
    ...inVariants(strategy.variants, at, owner),
    ...(strategy.constraints ?? []).flatMap((item, index) =>
      unknownProperties(item, knownProperties.constraint, { at: pointer(at, 'constraints', index), owner }),
    ),
  ]
}

function inVariants(variants: readonly UnleashVariant[] | null | undefined, at: string, owner: Partial<Loss>): Loss[] {
  return (variants ?? []).flatMap((item, index) =>
    unknownProperties(item, knownProperties.variant, { at: pointer(at, 'variants', index), owner }),
  )
}
