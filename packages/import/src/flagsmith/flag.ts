import { segmentClause } from '../conditions/clause.ts'
import { nameOf } from '../moved-names.ts'
import type { Loss, MovedConfig, MovedFlag, MovedRule, MovedServe, MovedTarget } from '../moved-project.ts'
import { sharesMove } from '../shares.ts'
import { type FeatureInEnvironment, type FlagsmithFeature, statesAt } from './features.ts'
import type { MovedSegments } from './segments.ts'
import { serveState, type ValuesOfFeature, valuesOfFeature } from './values.ts'

/** Maximum number of variations of a flag. */
const mostVariations = 200

/** Returns the flag of a feature; undefined when it cannot become one. */
export function flagOf(
  { name, places }: FlagsmithFeature,
  key: string,
  segments: MovedSegments,
): { readonly flag?: MovedFlag; readonly losses: readonly Loss[] } {
  const values = valuesOfFeature(places.flatMap(statesAt))
  if (values.variations.length > mostVariations) return { losses: [tooMany(name, values.variations.length)] }
  const seen = places.every(({ serverOnly }) => !serverOnly)
  const flag: MovedFlag = {
    key,
    from: name,
    name: nameOf(name),
    tags: [],
    temporary: true,
    variations: values.variations,
    clientSideAvailability: { usingEnvironmentId: seen, usingMobileKey: seen },
    archived: false,
    deprecated: false,
    configs: Object.fromEntries(places.map((place) => [place.environmentKey, configOf(place, values, segments)])),
  }
  const found = [...values.losses, ...places.flatMap((place) => lossesAt(place, values, segments))]
  return { flag, losses: found.map((loss) => ({ ...loss, flag: key })) }
}

function tooMany(name: string, count: number): Loss {
  const what = `the feature ${name}, which has ${count} values`
  return { what, why: `a flag has at most ${mostVariations} variations`, instead: 'the feature is omitted', affects: 'values' }
}

/**
 * When no context receives the feature, the flag is off, and its default rule is prepared for turning it on. When some
 * do, the flag is on and serves the off variation to all others.
 */
function configOf(place: FeatureInEnvironment, values: ValuesOfFeature, segments: MovedSegments): MovedConfig {
  const on = statesAt(place).some(({ enabled }) => enabled)
  return {
    on,
    targets: targetsOf(place, values),
    contextTargets: [],
    rules: ruleStates(place).map(({ segment, state }) =>
      ruleOf(segments.keyOf(place.environmentKey, segment), segment.name, serveState(values, state)),
    ),
    fallthrough: serveState(values, place.state, on ? place.state.enabled : true),
    offVariation: values.offVariation,
    prerequisites: [],
    trackEvents: false,
    trackEventsFallthrough: false,
  }
}

/** Orders overrides by priority, the lowest first and those without one last, then by the ids of their segments. */
function ruleStates({ overrides }: FeatureInEnvironment): FeatureInEnvironment['overrides'] {
  const rank = ({ state }: FeatureInEnvironment['overrides'][number]) =>
    state.feature_segment?.priority ?? Number.MAX_VALUE
  return overrides.toSorted((a, b) => rank(a) - rank(b) || a.segment.id - b.segment.id)
}

function ruleOf(segmentKey: string, name: string, serve: MovedServe): MovedRule {
  return { description: `segment ${name}`, clauses: [segmentClause([segmentKey])], ...serve, trackEvents: false }
}

function targetsOf({ identities }: FeatureInEnvironment, values: ValuesOfFeature): MovedTarget[] {
  const keys = new Map<number, string[]>()
  const seen = new Set<string>()
  for (const { identity, state } of identities) {
    if (seen.has(identity.identifier)) continue
    seen.add(identity.identifier)
    const { variation = values.indexOf(state.enabled, state.feature_state_value) } = serveState(values, state)
    keys.set(variation, [...(keys.get(variation) ?? []), identity.identifier])
  }
  return [...keys].map(([variation, list]) => ({ contextKind: 'user', variation, values: list }))
}

function lossesAt(place: FeatureInEnvironment, values: ValuesOfFeature, segments: MovedSegments): Loss[] {
  const { environmentKey, at, state, overrides, identities } = place
  const about = { environment: environmentKey, at }
  const served = [state, ...overrides.map((one) => one.state)].map((one) => serveState(values, one, true))
  const shared = served.some(({ rollout }) => rollout !== undefined)
  const identityShared = identities.some((one) => serveState(values, one.state).rollout !== undefined)
  const affected = overrides.flatMap(({ segment }) => segments.effectOf(environmentKey, segment) ?? [])
  return [
    ...(shared ? [{ ...about, ...sharesMove('which contexts receive which variant') }] : []),
    ...(identityShared ? [{ ...about, ...identityShares }] : []),
    ...[...new Set(affected)].map((affects): Loss => ({ ...about, ...segmentDiffers, affects })),
  ]
}

const identityShares: Loss = {
  what: 'variants of an identity override',
  why: 'a target receives one variation',
  instead: 'the value of the override itself',
  affects: 'values',
}

const segmentDiffers: Omit<Loss, 'affects'> = {
  what: 'an override of a segment that differs',
  why: 'see the losses of the segment',
  instead: 'the override refers to the imported segment',
}
