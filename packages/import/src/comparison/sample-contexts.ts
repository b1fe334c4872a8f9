import type { EvaluationContext } from '@halyard/core/evaluation'
import { type Clause, type ClauseValue, userKind } from '../conditions/clause.ts'
import type { AttributeExample, MovedFlag, MovedProject } from '../moved-project.ts'
import { pathOf } from './attribute-path.ts'
import { type Chance, createChance } from './chance.ts'
import { asksForAny, candidatesOf } from './clause-candidates.ts'
import { dealingAttributes } from './dealt-shares.ts'
import { type Mentioned, mentionedBy } from './mentioned-rules.ts'

export interface Sampling {
  /** Number of contexts. */
  readonly count: number
  /** The same seed gives the same contexts. */
  readonly seed: string
}

/**
 * Returns contexts that exercise the rules of a flag. For each attribute that the flag, its segments and its
 * prerequisites mention, they have values within, at and beyond each bound, or no value; their keys are listed ones and
 * others. Half of them aim at a rule, the others are random.
 */
export function sampleContexts(
  moved: MovedProject,
  flag: MovedFlag,
  environmentKey: string,
  { count, seed }: Sampling,
): EvaluationContext[] {
  const mentioned = mentionedBy(moved, flag, environmentKey)
  const source = sourceOf(mentioned, moved.examples)
  const chance = createChance(`${seed}/${environmentKey}/${flag.key}`)
  return Array.from({ length: count }, (_, at) => {
    const draft: Draft = new Map()
    for (const [kind, { keys, attributes }] of source) {
      if (kind !== userKind && chance.percent(20)) continue
      const values = new Map<string, unknown>()
      const named = chance.percent(25) ? chance.oneOf(keys) : undefined
      values.set('key', named ?? `${kind}-${at}`)
      for (const [attribute, list] of attributes) if (!chance.percent(15)) values.set(attribute, chance.oneOf(list))
      draft.set(kind, values)
    }
    if (at % 2 === 0) aim(draft, source, mentioned, chance)
    return contextOf(draft)
  })
}

/** Values by attribute, by kind. */
type Draft = Map<string, Map<string, unknown>>

interface KindSource {
  readonly keys: string[]
  readonly attributes: Map<string, readonly ClauseValue[]>
}

type Source = ReadonlyMap<string, KindSource>

function sourceOf(mentioned: Mentioned, examples: readonly AttributeExample[]): Source {
  const source = new Map<string, KindSource>()
  const of = (kind: string): KindSource => {
    const known = source.get(kind) ?? { keys: [], attributes: new Map() }
    source.set(kind, known)
    return known
  }
  of(userKind)
  for (const [kind, attributes] of byAttribute(clausesIn(mentioned))) {
    for (const [attribute, clauses] of attributes) {
      const own = examples.filter((one) => one.contextKind === kind && one.attribute === attribute)
      const values = valuesFor(clauses, own)
      if (attribute === 'key') of(kind).keys.push(...values.map(String).filter((value) => value !== ''))
      else of(kind).attributes.set(attribute, values)
    }
  }
  for (const [kind, attribute] of dealingAttributes(mentioned)) {
    const { attributes } = of(kind)
    if (attribute !== 'key' && !attributes.get(attribute)?.length) attributes.set(attribute, textsToDeal)
  }
  for (const { contextKind, values } of keysIn(mentioned)) of(contextKind).keys.push(...values.slice(0, 50))
  return source
}

/** Values of attributes that no rule tests, and that contexts are only bucketed by. */
const textsToDeal = Array.from({ length: 50 }, (_, at) => `text-${at}`)

function byAttribute(clauses: readonly Clause[]): ReadonlyMap<string, ReadonlyMap<string, Clause[]>> {
  const kinds = new Map<string, Map<string, Clause[]>>()
  for (const clause of clauses) {
    const attributes = kinds.get(clause.contextKind) ?? new Map<string, Clause[]>()
    kinds.set(clause.contextKind, attributes)
    if (clause.op !== 'segmentMatch')
      attributes.set(clause.attribute, [...(attributes.get(clause.attribute) ?? []), clause])
  }
  return kinds
}

const numberOps: ReadonlySet<string> = new Set(['lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual'])
const textOps: ReadonlySet<string> = new Set([
  ...['startsWith', 'endsWith', 'contains', 'matches', 'semVerEqual', 'semVerLessThan', 'semVerGreaterThan'],
])

/**
 * Programs give an attribute one type, the one that rules test for: other services treat values of another type
 * differently.
 */
function valuesFor(clauses: readonly Clause[], examples: readonly AttributeExample[]): readonly ClauseValue[] {
  const found = clauses.flatMap((clause) => {
    const { matching, others } = candidatesOf(clause)
    return [...matching, ...others].slice(0, 60)
  })
  const all = [...found, ...examples.map(({ value }) => value)]
  const texts = clauses.some(isTextTest) || all.some((value) => typeof value === 'string')
  const values = texts ? [...all, 'something'] : all
  if (clauses.some(isTextTest)) return values.filter((value) => typeof value === 'string')
  if (clauses.some(isNumberTest)) return values.filter((value) => typeof value !== 'string')
  if (clauses.some(namesTexts)) return values.filter((value) => typeof value === 'string')
  if (clauses.some(({ op }) => numberOps.has(op))) return values.filter((value) => typeof value !== 'string')
  return values
}

function isTextTest(clause: Clause): boolean {
  return textOps.has(clause.op) && !asksForAny(clause)
}

/** Interceptor 0 a clause may only ask whether there is anything. */
function isNumberTest({ op, values }: Clause): boolean {
  return numberOps.has(op) && values.some((value) => value !== 0 && value !== Number.MAX_VALUE)
}

/** Tests whether the values of a clause contain texts that are not numbers. */
function namesTexts({ op, values }: Clause): boolean {
  return op === 'in' && values.some((value) => typeof value === 'string' && String(Number(value)) !== value)
}

function clausesIn({ configs, segments }: Mentioned): Clause[] {
  const rules = [...configs.flatMap((one) => one.rules), ...[...segments.values()].flatMap((one) => one.rules)]
  return rules.flatMap(({ clauses }) => clauses)
}

function keysIn({ configs, segments }: Mentioned) {
  return [
    ...configs.flatMap(({ targets, contextTargets }) => [...targets, ...contextTargets]),
    ...[...segments.values()].flatMap(({ included, excluded, includedContexts, excludedContexts }) => [
      { contextKind: userKind, values: [...included.slice(0, 20), ...excluded.slice(0, 20)] },
      ...includedContexts,
      ...excludedContexts,
    ]),
  ]
}

/** Gives a context the attributes that a rule tests for, as far as they are easy to derive. */
function aim(draft: Draft, source: Source, { configs, segments }: Mentioned, chance: Chance): void {
  const rule = chance.oneOf(configs.flatMap(({ rules }) => rules))
  let waiting: readonly Clause[] = rule?.clauses ?? []
  for (let depth = 0; depth < 5 && waiting.length > 0; depth++) {
    waiting = waiting.flatMap((clause) => {
      if (clause.negate) return []
      if (clause.op === 'segmentMatch')
        return chance.oneOf(segments.get(String(chance.oneOf(clause.values)))?.rules ?? [])?.clauses ?? []
      meet(draft, source, clause, chance)
      return []
    })
  }
}

function meet(draft: Draft, source: Source, clause: Clause, chance: Chance): void {
  const { keys = [], attributes } = source.get(clause.contextKind) ?? {}
  const known: readonly unknown[] = clause.attribute === 'key' ? keys : (attributes?.get(clause.attribute) ?? [])
  const { matching, others } = candidatesOf(clause)
  const [fitting, near] = [matching, others].map((list) => list.filter((value) => known.includes(value)))
  const value = chance.oneOf(fitting ?? []) ?? chance.oneOf(near ?? [])
  if (value === undefined) return
  const values: Map<string, unknown> = draft.get(clause.contextKind) ?? new Map([['key', `${clause.contextKind}-x`]])
  draft.set(clause.contextKind, values.set(clause.attribute, value))
}

function contextOf(draft: Draft): EvaluationContext {
  const contexts = [...draft].map(([kind, values]) => [kind, attributesOf(values)] as const)
  const [only] = contexts
  if (contexts.length === 1 && only) return { kind: only[0], ...only[1] }
  return { kind: 'multi', ...Object.fromEntries(contexts) }
}

/** Returns attributes in the structure of a context: a reference addresses properties of objects. */
function attributesOf(values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const attributes: Record<string, unknown> = {}
  for (const [attribute, value] of values) if (value !== undefined) place(attributes, pathOf(attribute), value)
  return attributes
}

function place(into: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (name === undefined || name === 'kind') return
  if (rest.length === 0) {
    into[name] = value
    return
  }
  const inner = into[name]
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  into[name] = next
  place(next, rest, value)
}
