import { userKind } from '../conditions/clause.ts'
import { compileCondition } from '../conditions/compile-condition.ts'
import { isAlways, isNever } from '../conditions/condition.ts'
import { createSegmentPool, type SegmentPool } from '../conditions/segment-pool.ts'
import { defaultEnvironmentKey, type ReadExport, type ReadOptions } from '../flag-format.ts'
import { createKeyList, nameOf, renameLosses } from '../imported-names.ts'
import type { ImportedConfig, ImportedFlag, ImportedRule, ImportedServe, Loss } from '../imported-project.ts'
import { pointer, unknownProperties } from '../read-shape.ts'
import { fullWeight, scaleWeights, serveOf } from '../shares.ts'
import type { LogicNotes } from './condition.ts'
import { type FlagdFlag, readFlagdExport } from './export.ts'
import { type Branch, branchesOf, type Outcome } from './targeting.ts'
import { type FlagdValues, flagdValues } from './values.ts'

/** Reads a flag set of flagd. It names no environment, so everything is imported into one. */
export function readFlagd(
  values: readonly unknown[],
  { environmentKey = defaultEnvironmentKey }: ReadOptions,
): ReadExport {
  const read = readFlagdExport(values)
  if (!read.ok) return read
  const pool = createSegmentPool(environmentKey)
  const keys = createKeyList(Object.keys(read.flags))
  const losses: Loss[] = unknownProperties(
    { ...read.unknownProperties, metadata: read.metadata },
    new Set(['$schema']),
    { at: '', owner: {} },
  )
  const advice = new Set(['A targetingKey becomes the key of a context; all other properties become its attributes.'])
  const flags = Object.entries(read.flags).map(([name, flag]) =>
    translateFlag({ from: name, key: keys.keyOf(name) }, flag, { environmentKey, pool, losses, advice }),
  )
  return {
    ok: true,
    importedProject: {
      environments: [{ key: environmentKey, name: environmentKey }],
      contextKinds: [],
      segments: pool.segments(),
      flags,
      losses,
      advice: [...advice],
      examples: [],
    },
  }
}

interface FlagdTranslation {
  readonly environmentKey: string
  readonly pool: SegmentPool
  readonly losses: Loss[]
  readonly advice: Set<string>
}

const knownProperties = new Set(['state', 'variants', 'defaultVariant', 'targeting', 'metadata'])

/** The name of a flag in the flag set, and its key in Halyard. */
interface FlagName {
  readonly from: string
  readonly key: string
}

function translateFlag({ from, key }: FlagName, flag: FlagdFlag, translation: FlagdTranslation): ImportedFlag {
  const { losses, environmentKey } = translation
  const values = flagdValues(flag.variants)
  const at = pointer('', 'flags', from)
  losses.push(
    ...renameLosses({ flag: key }, from, key),
    ...unknownProperties(flag, knownProperties, { at, owner: { flag: key } }),
  )
  losses.push(...valueLosses(values, { flag: key, at: pointer(at, 'variants') }))
  return {
    key,
    from,
    name: nameOf(from),
    tags: [],
    temporary: false,
    variations: values.variations,
    customProperties: propertiesOf(flag.metadata ?? {}, { flag: key, at }, losses),
    archived: false,
    deprecated: false,
    configs: {
      [environmentKey]: translateConfig(
        { flagKey: from, flag, values },
        { flag: key, at, environment: environmentKey },
        translation,
      ),
    },
  }
}

function valueLosses({ isWrapped, sharedVariants, isFilled }: FlagdValues, about: Partial<Loss>): Loss[] {
  const losses: Loss[] = []
  const reportLoss = (what: string, why: string, instead: string, affects: Loss['affects']) =>
    losses.push({ ...about, what, why, instead, affects })
  if (isWrapped)
    reportLoss(
      'values of several types',
      'all values of a flag must have one type',
      'each value is wrapped in an object, as its property value',
      'values',
    )
  if (isFilled)
    reportLoss(
      'a single variant',
      'a flag must have at least two variations',
      'another variation is added, which is never served',
      'nothing',
    )
  if (sharedVariants.length > 0) {
    const what = `the variants ${sharedVariants.join(', ')}`
    reportLoss(what, 'they have the same value as other variants', 'one variation for each value', 'nothing')
  }
  return losses
}

function propertiesOf(metadata: Readonly<Record<string, unknown>>, about: Partial<Loss>, losses: Loss[]) {
  const validEntries = Object.entries(metadata).filter(
    ([name]) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/.test(name) && !(name in {}),
  )
  const invalidNames = Object.keys(metadata).filter((name) => !validEntries.some(([entry]) => entry === name))
  for (const name of invalidNames) {
    losses.push({
      ...about,
      what: `metadata ${name}`,
      why: 'the name is not a valid key',
      instead: 'left out',
      affects: 'nothing',
    })
  }
  return Object.fromEntries(
    validEntries.map(([name, value]) => [name, { name, value: [String(value).slice(0, 1000)] }]),
  )
}

/** A flag of the flag set, and its values. */
interface FlagdFeature {
  readonly flagKey: string
  readonly flag: FlagdFlag
  readonly values: FlagdValues
}

function translateConfig(
  { flagKey, flag: { state, defaultVariant, targeting }, values }: FlagdFeature,
  about: Partial<Loss>,
  { pool, losses, advice }: FlagdTranslation,
): ImportedConfig {
  const reportLoss = (what: string, why: string, instead: string, affects: Loss['affects'] = 'values') =>
    losses.push({ ...about, at: pointer(about.at ?? '', 'targeting'), what, why, instead, affects })
  const notes: LogicNotes = {
    flagKey,
    unsupported: (why) =>
      reportLoss('a part of the targeting', why, 'the part is omitted, and the cases after it apply'),
    usesClock: () =>
      reportLoss(
        '$flagd.timestamp',
        'rules have no clock',
        'send it with each context: $flagd: { timestamp }, in seconds',
      ),
    advise: (sentence) => advice.add(sentence),
  }
  const hasTargeting = targeting !== null && targeting !== undefined && Object.keys(targeting).length > 0
  const branches = hasTargeting ? branchesOf(targeting, values, notes) : []
  const defaultIndex = defaultVariant ? values.indexOf(defaultVariant) : undefined
  const rulesAndFallthrough = translateBranches(branches, { values, defaultIndex }, pool, reportLoss)
  return {
    // Without a default variant the caller receives the default in its code, as from a flag that is off.
    on: state === 'ENABLED' && (hasTargeting || defaultIndex !== undefined),
    targets: [],
    contextTargets: [],
    ...rulesAndFallthrough,
    prerequisites: [],
    trackEvents: false,
    trackEventsFallthrough: false,
  }
}

type ReportLoss = (what: string, why: string, instead: string, affects?: Loss['affects']) => void

function translateBranches(
  branches: readonly Branch[],
  variants: FlagVariants,
  pool: SegmentPool,
  reportLoss: ReportLoss,
): Pick<ImportedConfig, 'rules' | 'fallthrough'> {
  const rules: ImportedRule[] = []
  for (const { condition, outcome } of branches.filter((entry) => !isNever(entry.condition))) {
    const serve = serveFor(outcome, variants, reportLoss)
    if (isAlways(condition)) return { rules: withoutRedundantRules(rules, serve), fallthrough: serve }
    for (const clauses of compileCondition(condition, pool)) rules.push({ clauses, ...serve, trackEvents: false })
  }
  return { rules, fallthrough: { variation: variants.defaultIndex ?? 0 } }
}

/** Removes the last rules of the list while they serve the same result as the default rule. */
function withoutRedundantRules(rules: readonly ImportedRule[], { variation }: ImportedServe): readonly ImportedRule[] {
  const last = rules.findLastIndex((rule) => rule.rollout !== undefined || rule.variation !== variation)
  return variation === undefined ? rules : rules.slice(0, last + 1)
}

/** The values of a flag, and the index of its default. */
interface FlagVariants {
  readonly values: FlagdValues
  readonly defaultIndex: number | undefined
}

function serveFor(outcome: Outcome, variants: FlagVariants, reportLoss: ReportLoss): ImportedServe {
  if (outcome.kind === 'default') return { variation: requireDefault(variants.defaultIndex, reportLoss) }
  if (outcome.kind === 'variant') return { variation: variantAt(outcome.name, variants, reportLoss) }
  const weights = outcome.shares.map(({ name, weight }) => ({
    variation:
      name === null ? requireDefault(variants.defaultIndex, reportLoss) : variantAt(name, variants, reportLoss),
    weight,
  }))
  const parts = scaleWeights(weights, fullWeight)
  if (parts.length > 1) {
    reportLoss(
      'fractional',
      'another hash assigns contexts to variations',
      'the percentages are the same, the contexts differ',
      'shares',
    )
  }
  return serveOf(parts, userKind, outcome.bucketBy)
}

function requireDefault(defaultIndex: number | undefined, reportLoss: ReportLoss): number {
  if (defaultIndex === undefined) {
    reportLoss(
      'no default variant',
      'a flag that is on serves a variation to every context',
      'the first variation is served',
    )
  }
  return defaultIndex ?? 0
}

function variantAt(name: string, { values, defaultIndex }: FlagVariants, reportLoss: ReportLoss): number {
  const index = values.indexOf(name)
  if (index !== undefined) return index
  reportLoss(
    `variant ${name}`,
    'the flag has no variant of that name, and requesting it is an error',
    'the default variant is served',
  )
  return defaultIndex ?? 0
}
