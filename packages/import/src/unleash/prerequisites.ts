import type { Loss, MovedConfig } from '../moved-project.ts'
import type { UnleashFeature } from './export.ts'
import type { UnleashValues } from './values.ts'

/** A feature that others depend on. */
export interface UnleashParent {
  readonly key: string
  readonly feature: UnleashFeature
  readonly values: UnleashValues
}

export interface ToldDependencies {
  readonly prerequisites: MovedConfig['prerequisites']
  /** True when no context receives the feature, whatever its own strategies are. */
  readonly blocked: boolean
}

type Lose = (loss: Pick<Loss, 'what' | 'why' | 'instead' | 'affects'>) => void

/**
 * Translates the dependencies of a feature to prerequisites: each is one variation that another flag must serve.
 *
 * @param parentOf returns a feature of the same environment by its name.
 */
export function tellDependencies(
  { dependencies }: UnleashFeature,
  parentOf: (name: string) => UnleashParent | undefined,
  lose: Lose,
): ToldDependencies {
  const wanted = new Map<string, number>()
  for (const dependency of dependencies ?? []) {
    const parent = parentOf(dependency.feature)
    const variation = parent ? variationWanted(dependency, parent, lose) : 'never'
    if (!parent) tellMissing(dependency.feature, lose)
    if (variation === 'always') continue
    if (!parent || variation === 'never') return { prerequisites: [], blocked: true }
    if ((wanted.get(parent.key) ?? variation) !== variation) return { prerequisites: [], blocked: true }
    wanted.set(parent.key, variation)
  }
  return { prerequisites: [...wanted].map(([key, variation]) => ({ key, variation })), blocked: false }
}

type Dependency = NonNullable<UnleashFeature['dependencies']>[number]

function variationWanted(dependency: Dependency, parent: UnleashParent, lose: Lose): number | 'always' | 'never' {
  const { feature, values } = parent
  if ((feature.dependencies ?? []).length > 0) {
    const what = `dependency on ${feature.name}`
    const why = 'it has dependencies itself, and Unleash then enables the feature for no context'
    lose({ what, why, instead: 'the flag is off here too', affects: 'nothing' })
    return 'never'
  }
  if (dependency.enabled === false) return feature.enabled ? tellInverse(values, feature, lose) : tellMet(feature, lose)
  if (values.enabled !== undefined) return dependency.variants?.length ? 'never' : values.enabled
  const names = dependency.variants?.length ? dependency.variants : undefined
  const fitting = values.variations.flatMap(({ name }, at) =>
    at !== values.disabled && (names === undefined || names.includes(name ?? '')) ? [at] : [],
  )
  if (fitting.length === 1) return fitting[0] as number
  if (fitting.length > 1) {
    const what = `dependency on any of ${fitting.length} variants of ${feature.name}`
    const instead = 'the flag is off: add one of the variants as its prerequisite, or write rules'
    lose({ what, why: 'a prerequisite is one variation', instead, affects: 'values' })
  }
  return 'never'
}

function tellInverse(values: UnleashValues, { name }: UnleashFeature, lose: Lose): number {
  const what = `dependency on ${name} being disabled`
  const why = 'a prerequisite must be on, and serve its variation'
  lose({ what, why, instead: 'it is met while that flag is on; turning that flag off turns this one off', affects: 'nothing' })
  return values.disabled
}

function tellMet({ name }: UnleashFeature, lose: Lose): 'always' {
  const what = `dependency on ${name} being disabled`
  const why = 'that flag is off, and a prerequisite must be on'
  lose({ what, why, instead: 'omitted; add it when that flag is turned on', affects: 'nothing' })
  return 'always'
}

function tellMissing(name: string, lose: Lose): void {
  const what = `dependency on ${name}`
  const why = 'the export does not contain that feature, and Unleash then enables no context'
  lose({ what, why, instead: 'the flag is off', affects: 'nothing' })
}
