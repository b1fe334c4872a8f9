import type { ImportedConfig, Loss } from '../imported-project.ts'
import type { UnleashFeature } from './export.ts'
import type { UnleashValues } from './values.ts'

/** A feature that others depend on. */
export interface UnleashParent {
  readonly key: string
  readonly feature: UnleashFeature
  readonly values: UnleashValues
}

export interface DependencyResult {
  readonly prerequisites: ImportedConfig['prerequisites']
  /** True when no context receives the feature, whatever its own strategies are. */
  readonly blocked: boolean
}

type ReportLoss = (loss: Pick<Loss, 'what' | 'why' | 'instead' | 'affects'>) => void

/**
 * Translates the dependencies of a feature to prerequisites. A prerequisite is another flag, with the variation that it
 * must serve.
 *
 * @param parentOf returns a feature of the same environment by its name.
 */
export function translateDependencies(
  { dependencies }: UnleashFeature,
  parentOf: (name: string) => UnleashParent | undefined,
  reportLoss: ReportLoss,
): DependencyResult {
  const requiredVariations = new Map<string, number>()
  for (const dependency of dependencies ?? []) {
    const parent = parentOf(dependency.feature)
    const variation = parent ? requiredVariation(dependency, parent, reportLoss) : 'never'
    if (!parent) reportMissingFeature(dependency.feature, reportLoss)
    if (variation === 'always') continue
    if (!parent || variation === 'never') return { prerequisites: [], blocked: true }
    if ((requiredVariations.get(parent.key) ?? variation) !== variation) return { prerequisites: [], blocked: true }
    requiredVariations.set(parent.key, variation)
  }
  return { prerequisites: [...requiredVariations].map(([key, variation]) => ({ key, variation })), blocked: false }
}

type Dependency = NonNullable<UnleashFeature['dependencies']>[number]

function requiredVariation(
  dependency: Dependency,
  parent: UnleashParent,
  reportLoss: ReportLoss,
): number | 'always' | 'never' {
  const { feature, values } = parent
  if ((feature.dependencies ?? []).length > 0) {
    const what = `dependency on ${feature.name}`
    const why = 'it has dependencies itself, and Unleash then enables the feature for no context'
    reportLoss({ what, why, instead: 'the flag is off in Halyard too', affects: 'nothing' })
    return 'never'
  }
  if (dependency.enabled === false)
    return feature.enabled ? invertedDependency(values, feature, reportLoss) : metDependency(feature, reportLoss)
  if (values.enabled !== undefined) return dependency.variants?.length ? 'never' : values.enabled
  const names = dependency.variants?.length ? dependency.variants : undefined
  const matchingVariations = values.variations.flatMap(({ name }, index) =>
    index !== values.disabled && (names === undefined || names.includes(name ?? '')) ? [index] : [],
  )
  if (matchingVariations.length === 1) return matchingVariations[0] as number
  if (matchingVariations.length > 1) {
    const what = `dependency on any of ${matchingVariations.length} variants of ${feature.name}`
    const instead = 'the flag is off: add one of the variants as its prerequisite, or write rules'
    reportLoss({ what, why: 'a prerequisite in Halyard requires exactly one variation', instead, affects: 'values' })
  }
  return 'never'
}

function invertedDependency(values: UnleashValues, { name }: UnleashFeature, reportLoss: ReportLoss): number {
  const what = `dependency on ${name} being disabled`
  const why = 'a prerequisite must be on, and serve its variation'
  reportLoss({
    what,
    why,
    instead: 'it is met while that flag is on; turning that flag off turns this one off',
    affects: 'nothing',
  })
  return values.disabled
}

function metDependency({ name }: UnleashFeature, reportLoss: ReportLoss): 'always' {
  const what = `dependency on ${name} being disabled`
  const why = 'that flag is off, and a prerequisite must be on'
  reportLoss({ what, why, instead: 'omitted; add it when that flag is turned on', affects: 'nothing' })
  return 'always'
}

function reportMissingFeature(name: string, reportLoss: ReportLoss): void {
  const what = `dependency on ${name}`
  const why = 'the export does not contain that feature, and Unleash then enables no context'
  reportLoss({ what, why, instead: 'the flag is off', affects: 'nothing' })
}
