import type { Loss } from '../moved-project.ts'
import { pointer, strangers } from '../read-shape.ts'
import type { UnleashEnvironment, UnleashFeature, UnleashStrategy, UnleashVariant } from './export.ts'

/**
 * Properties that are read, and those with times, people and positions, which have no counterpart and remain in the
 * original service.
 */
const known = {
  answer: new Set(['version', 'query', 'meta', 'contextFields', 'tagTypes', 'links', 'features', 'segments']),
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
export function tellUnknownMembers(
  { rest, at, features, segments }: UnleashEnvironment,
  keyOf: (name: string) => string,
  losses: Loss[],
): void {
  losses.push(...strangers(rest, known.answer, at, {}))
  for (const segment of segments.values()) losses.push(...strangers(segment, known.segment, segment.at, {}))
  for (const feature of features) losses.push(...inFeature(feature, { flag: keyOf(feature.name) }))
}

function inFeature(feature: UnleashFeature, about: Partial<Loss>): Loss[] {
  const { at, strategies, variants } = feature
  return [
    ...strangers(feature, known.feature, at, about),
    ...inVariants(variants, at, about),
    ...(strategies ?? []).flatMap((one, index) => inStrategy(one, pointer(at, 'strategies', index), about)),
  ]
}

function inStrategy(strategy: UnleashStrategy, at: string, about: Partial<Loss>): Loss[] {
  const off: Loss[] = strategy.disabled
    ? [
        {
          ...about,
          at,
          what: `strategy ${strategy.name}`,
          why: 'it is disabled',
          instead: 'left out',
          affects: 'nothing',
        },
      ]
    : []
  return [
    ...off,
    ...strangers(strategy, known.strategy, at, about),
    ...inVariants(strategy.variants, at, about),
    ...(strategy.constraints ?? []).flatMap((one, index) =>
      strangers(one, known.constraint, pointer(at, 'constraints', index), about),
    ),
  ]
}

function inVariants(variants: readonly UnleashVariant[] | null | undefined, at: string, about: Partial<Loss>): Loss[] {
  return (variants ?? []).flatMap((one, index) => strangers(one, known.variant, pointer(at, 'variants', index), about))
}
