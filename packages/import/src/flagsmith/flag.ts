import { segmentClause } from '../conditions/clause.ts'
import { nameOf } from '../imported-names.ts'
import type {
  ImportedConfig,
  ImportedFlag,
  ImportedRule,
  ImportedServe,
  ImportedTarget,
  Loss,
} from '../imported-project.ts'
import { sharesLoss } from '../shares.ts'
import { type FeatureInEnvironment, type FlagsmithFeature, statesAt } from './features.ts'
import type { ImportedSegments } from './segments.ts'
import { serveState, type ValuesOfFeature, valuesOfFeature } from './values.ts'

/** Maximum number of variations of a flag. */
const maxVariations = 200

/** Returns the flag of a feature; undefined when the feature cannot become a flag. */
export function flagOf(
  { name, environments }: FlagsmithFeature,
  key: string,
  segments: ImportedSegments,
): { readonly flag?: ImportedFlag; readonly losses: readonly Loss[] } {
  const values = valuesOfFeature(environments.flatMap(statesAt))
  if (values.variations.length > maxVariations) return { losses: [tooManyVariations(name, values.variations.length)] }
  const isClientSide = environments.every(({ serverOnly }) => !serverOnly)
  const flag: ImportedFlag = {
    key,
    from: name,
    name: nameOf(name),
    tags: [],
    temporary: true,
    variations: values.variations,
    clientSideAvailability: { usingEnvironmentId: isClientSide, usingMobileKey: isClientSide },
    archived: false,
    deprecated: false,
    configs: Object.fromEntries(
      environments.map((environment) => [environment.environmentKey, configOf(environment, values, segments)]),
    ),
  }
  const losses = [...values.losses, ...environments.flatMap((environment) => lossesAt(environment, values, segments))]
  return { flag, losses: losses.map((loss) => ({ ...loss, flag: key })) }
}

function tooManyVariations(name: string, count: number): Loss {
  const what = `the feature ${name}, which has ${count} values`
  return {
    what,
    why: `a flag has at most ${maxVariations} variations`,
    instead: 'the feature is omitted',
    affects: 'values',
  }
}

/**
 * Returns the configuration of a flag. When no context receives the feature, the flag is off, and its default rule is
 * prepared for turning it on. When some contexts receive it, the flag is on and serves the off variation to all other
 * contexts.
 */
function configOf(
  environment: FeatureInEnvironment,
  values: ValuesOfFeature,
  segments: ImportedSegments,
): ImportedConfig {
  const on = statesAt(environment).some(({ enabled }) => enabled)
  return {
    on,
    targets: targetsOf(environment, values),
    contextTargets: [],
    rules: ruleStates(environment).map(({ segment, state }) =>
      ruleOf(segments.keyOf(environment.environmentKey, segment), segment.name, serveState(values, state)),
    ),
    fallthrough: serveState(values, environment.state, on ? environment.state.enabled : true),
    offVariation: values.offVariation,
    prerequisites: [],
    trackEvents: false,
    trackEventsFallthrough: false,
  }
}

/**
 * Orders overrides by priority, the lowest first. Overrides without a priority come last, ordered by the ids of their
 * segments.
 */
function ruleStates({ overrides }: FeatureInEnvironment): FeatureInEnvironment['overrides'] {
  const rank = ({ state }: FeatureInEnvironment['overrides'][number]) =>
    state.feature_segment?.priority ?? Number.MAX_VALUE
  return overrides.toSorted((a, b) => rank(a) - rank(b) || a.segment.id - b.segment.id)
}

function ruleOf(segmentKey: string, name: string, serve: ImportedServe): ImportedRule {
  return { description: `segment ${name}`, clauses: [segmentClause([segmentKey])], ...serve, trackEvents: false }
}

function targetsOf({ identities }: FeatureInEnvironment, values: ValuesOfFeature): ImportedTarget[] {
  const keys = new Map<number, string[]>()
  const seenIdentifiers = new Set<string>()
  for (const { identity, state } of identities) {
    if (seenIdentifiers.has(identity.identifier)) continue
    seenIdentifiers.add(identity.identifier)
    const { variation = values.indexOf(state.enabled, state.feature_state_value) } = serveState(values, state)
    keys.set(variation, [...(keys.get(variation) ?? []), identity.identifier])
  }
  return [...keys].map(([variation, list]) => ({ contextKind: 'user', variation, values: list }))
}

function lossesAt(environment: FeatureInEnvironment, values: ValuesOfFeature, segments: ImportedSegments): Loss[] {
  const { environmentKey, at, state, overrides, identities } = environment
  const position = { environment: environmentKey, at }
  const served = [state, ...overrides.map((item) => item.state)].map((item) => serveState(values, item, true))
  const hasRollout = served.some(({ rollout }) => rollout !== undefined)
  const identityHasRollout = identities.some((item) => serveState(values, item.state).rollout !== undefined)
  const effects = overrides.flatMap(({ segment }) => segments.effectOf(environmentKey, segment) ?? [])
  return [
    ...(hasRollout ? [{ ...position, ...sharesLoss('which contexts receive which variant') }] : []),
    ...(identityHasRollout ? [{ ...position, ...identityShares }] : []),
    ...[...new Set(effects)].map((affects): Loss => ({ ...position, ...segmentDiffers, affects })),
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
