import { userKind } from '../conditions/clause.ts'
import { compileCondition } from '../conditions/compile-condition.ts'
import { isAlways, isNever } from '../conditions/condition.ts'
import { createSegmentPool, type SegmentPool } from '../conditions/segment-pool.ts'
import { presetEnvironment, type ReadExport, type ReadOptions } from '../flag-format.ts'
import { createKeyList, nameOf, renamed } from '../moved-names.ts'
import type { Loss, MovedConfig, MovedFlag, MovedRule, MovedServe } from '../moved-project.ts'
import { pointer, strangers } from '../read-shape.ts'
import { scaled, serveOf, whole } from '../shares.ts'
import type { LogicNotes } from './condition.ts'
import { type FlagdFlag, readFlagdExport } from './export.ts'
import { type Branch, branchesOf, type Outcome } from './targeting.ts'
import { type FlagdValues, flagdValues } from './values.ts'

/** Reads a flag set of flagd. It names no environment, so everything is imported into one. */
export function readFlagd(values: readonly unknown[], { environmentKey = presetEnvironment }: ReadOptions): ReadExport {
  const read = readFlagdExport(values)
  if (!read.ok) return read
  const pool = createSegmentPool(environmentKey)
  const keys = createKeyList(Object.keys(read.flags))
  const losses: Loss[] = strangers({ ...read.rest, metadata: read.metadata }, new Set(['$schema']), '', {})
  const advice = new Set(['A targetingKey is the key of a context here; all other properties are its attributes.'])
  const flags = Object.entries(read.flags).map(([name, flag]) =>
    tellFlag(name, keys.keyOf(name), flag, { environmentKey, pool, losses, advice }),
  )
  return {
    ok: true,
    moved: {
      environments: [{ key: environmentKey, name: environmentKey }],
      contextKinds: [],
      segments: pool.made(),
      flags,
      losses,
      advice: [...advice],
      examples: [],
    },
  }
}

interface Reading {
  readonly environmentKey: string
  readonly pool: SegmentPool
  readonly losses: Loss[]
  readonly advice: Set<string>
}

const knownMembers = new Set(['state', 'variants', 'defaultVariant', 'targeting', 'metadata'])

function tellFlag(from: string, key: string, flag: FlagdFlag, reading: Reading): MovedFlag {
  const { losses, environmentKey } = reading
  const values = flagdValues(flag.variants)
  const at = pointer('', 'flags', from)
  losses.push(...renamed({ flag: key }, from, key), ...strangers(flag, knownMembers, at, { flag: key }))
  losses.push(...tellValues(values, { flag: key, at: pointer(at, 'variants') }))
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
      [environmentKey]: tellConfig(from, flag, values, { flag: key, at, environment: environmentKey }, reading),
    },
  }
}

function tellValues({ wrapped, doubled, filled }: FlagdValues, about: Partial<Loss>): Loss[] {
  const losses: Loss[] = []
  const lose = (what: string, why: string, instead: string, affects: Loss['affects']) =>
    losses.push({ ...about, what, why, instead, affects })
  if (wrapped)
    lose('values of several types', 'all values of a flag must have one type', 'each value is wrapped in an object, as its property value', 'values')
  if (filled)
    lose('a single variant', 'a flag must have at least two variations', 'another variation is added, which is never served', 'nothing')
  if (doubled.length > 0) {
    const what = `the variants ${doubled.join(', ')}`
    lose(what, 'they have the same value as other variants', 'one variation for each value', 'nothing')
  }
  return losses
}

function propertiesOf(metadata: Readonly<Record<string, unknown>>, about: Partial<Loss>, losses: Loss[]) {
  const kept = Object.entries(metadata).filter(
    ([name]) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/.test(name) && !(name in {}),
  )
  const left = Object.keys(metadata).filter((name) => !kept.some(([one]) => one === name))
  for (const name of left) {
    losses.push({ ...about, what: `metadata ${name}`, why: 'the name is not a valid key', instead: 'left out', affects: 'nothing' })
  }
  return Object.fromEntries(kept.map(([name, value]) => [name, { name, value: [String(value).slice(0, 1000)] }]))
}

function tellConfig(
  flagKey: string,
  { state, defaultVariant, targeting }: FlagdFlag,
  values: FlagdValues,
  about: Partial<Loss>,
  { pool, losses, advice }: Reading,
): MovedConfig {
  const lose = (what: string, why: string, instead: string, affects: Loss['affects'] = 'values') =>
    losses.push({ ...about, at: pointer(about.at ?? '', 'targeting'), what, why, instead, affects })
  const notes: LogicNotes = {
    flagKey,
    untold: (why) => lose('a part of the targeting', why, 'the part is omitted, and the cases after it apply'),
    clock: () =>
      lose('$flagd.timestamp', 'rules have no clock', 'send it with each context: $flagd: { timestamp }, in seconds'),
    advise: (sentence) => advice.add(sentence),
  }
  const hasTargeting = targeting !== null && targeting !== undefined && Object.keys(targeting).length > 0
  const branches = hasTargeting ? branchesOf(targeting, values, notes) : []
  const preset = defaultVariant ? values.indexOf(defaultVariant) : undefined
  const told = tellBranches(branches, values, preset, pool, lose)
  return {
    // Without a default variant the caller receives the default in its code, as from a flag that is off.
    on: state === 'ENABLED' && (hasTargeting || preset !== undefined),
    targets: [],
    contextTargets: [],
    ...told,
    prerequisites: [],
    trackEvents: false,
    trackEventsFallthrough: false,
  }
}

type Lose = (what: string, why: string, instead: string, affects?: Loss['affects']) => void

function tellBranches(
  branches: readonly Branch[],
  values: FlagdValues,
  preset: number | undefined,
  pool: SegmentPool,
  lose: Lose,
): Pick<MovedConfig, 'rules' | 'fallthrough'> {
  const rules: MovedRule[] = []
  for (const { condition, outcome } of branches.filter((one) => !isNever(one.condition))) {
    const serve = serveFor(outcome, values, preset, lose)
    if (isAlways(condition)) return { rules: withoutIdle(rules, serve), fallthrough: serve }
    for (const clauses of compileCondition(condition, pool)) rules.push({ clauses, ...serve, trackEvents: false })
  }
  return { rules, fallthrough: { variation: preset ?? 0 } }
}

/** Removes the last rules that serve what the default rule serves anyway. */
function withoutIdle(rules: readonly MovedRule[], { variation }: MovedServe): readonly MovedRule[] {
  const last = rules.findLastIndex((rule) => rule.rollout !== undefined || rule.variation !== variation)
  return variation === undefined ? rules : rules.slice(0, last + 1)
}

function serveFor(outcome: Outcome, values: FlagdValues, preset: number | undefined, lose: Lose): MovedServe {
  if (outcome.kind === 'default') return { variation: presetOf(preset, lose) }
  if (outcome.kind === 'variant') return { variation: variantAt(outcome.name, values, preset, lose) }
  const weights = outcome.shares.map(({ name, weight }) => ({
    variation: name === null ? presetOf(preset, lose) : variantAt(name, values, preset, lose),
    weight,
  }))
  const parts = scaled(weights, whole)
  if (parts.length > 1) {
    lose('fractional', 'another hash assigns contexts to variations', 'the percentages are the same, the contexts differ', 'shares')
  }
  return serveOf(parts, userKind, outcome.bucketBy)
}

function presetOf(preset: number | undefined, lose: Lose): number {
  if (preset === undefined) {
    lose('no default variant', 'a flag that is on serves a variation to every context', 'the first variation is served')
  }
  return preset ?? 0
}

function variantAt(name: string, values: FlagdValues, preset: number | undefined, lose: Lose): number {
  const index = values.indexOf(name)
  if (index !== undefined) return index
  lose(
    `variant ${name}`,
    'the flag has no variant of that name, and requesting it is an error',
    'the default variant is served',
  )
  return preset ?? 0
}
