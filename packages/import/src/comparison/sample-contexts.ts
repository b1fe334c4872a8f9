import type { EvaluationContext } from '@halyard/core/evaluation'
import { type Clause, type ClauseValue, userKind } from '../conditions/clause.ts'
import type { AttributeExample, ImportedFlag, ImportedProject } from '../imported-project.ts'
import { pathOf } from './attribute-path.ts'
import { candidatesOf, testsPresenceOnly } from './clause-candidates.ts'
import { createRandom, type Random } from './random.ts'
import { type RelatedRules, relatedRulesOf } from './related-rules.ts'
import { bucketingAttributes } from './rollout-shares.ts'

export interface SamplingOptions {
  /** Number of contexts. */
  readonly count: number
  /** The same seed gives the same contexts. */
  readonly seed: string
}

/** A flag in one environment. */
export interface FlagInEnvironment {
  readonly flag: ImportedFlag
  readonly environmentKey: string
}

/**
 * Returns contexts that exercise the rules of a flag. For each attribute that the flag, its segments and its
 * prerequisites mention, the contexts have values within, at and beyond each bound, or no value. Some of their keys are
 * in lists of the flag. Half of the contexts are made to match a rule, the others are random.
 */
export function sampleContexts(
  importedProject: ImportedProject,
  { flag, environmentKey }: FlagInEnvironment,
  { count, seed }: SamplingOptions,
): EvaluationContext[] {
  const relatedRules = relatedRulesOf(importedProject, flag, environmentKey)
  const source = sourceOf(relatedRules, importedProject.examples)
  const random = createRandom(`${seed}/${environmentKey}/${flag.key}`)
  return Array.from({ length: count }, (_, index) => {
    const draft: Draft = new Map()
    for (const [kind, { keys, attributes }] of source) {
      if (kind !== userKind && random.percent(20)) continue
      const values = new Map<string, unknown>()
      const listedKey = random.percent(25) ? random.pick(keys) : undefined
      values.set('key', listedKey ?? `${kind}-${index}`)
      for (const [attribute, list] of attributes) if (!random.percent(15)) values.set(attribute, random.pick(list))
      draft.set(kind, values)
    }
    if (index % 2 === 0) aimAtRule(draft, source, relatedRules, random)
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

function sourceOf(relatedRules: RelatedRules, examples: readonly AttributeExample[]): Source {
  const source = new Map<string, KindSource>()
  const of = (kind: string): KindSource => {
    const existing = source.get(kind) ?? { keys: [], attributes: new Map() }
    source.set(kind, existing)
    return existing
  }
  of(userKind)
  for (const [kind, attributes] of byAttribute(clausesIn(relatedRules))) {
    for (const [attribute, clauses] of attributes) {
      const ownExamples = examples.filter((example) => example.contextKind === kind && example.attribute === attribute)
      const values = valuesFor(clauses, ownExamples)
      if (attribute === 'key') of(kind).keys.push(...values.map(String).filter((value) => value !== ''))
      else of(kind).attributes.set(attribute, values)
    }
  }
  for (const [kind, attribute] of bucketingAttributes(relatedRules)) {
    const { attributes } = of(kind)
    if (attribute !== 'key' && !attributes.get(attribute)?.length) attributes.set(attribute, bucketingTexts)
  }
  for (const { contextKind, values } of keysIn(relatedRules)) of(contextKind).keys.push(...values.slice(0, 50))
  return source
}

/** Values of attributes that no rule tests, and that contexts are only bucketed by. */
const bucketingTexts = Array.from({ length: 50 }, (_, index) => `text-${index}`)

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
 * Returns values of an attribute for contexts. In programs an attribute has one type, which is the type that rules test
 * for. Values of other types are not generated, because other services treat them differently.
 */
function valuesFor(clauses: readonly Clause[], examples: readonly AttributeExample[]): readonly ClauseValue[] {
  const candidates = clauses.flatMap((clause) => {
    const { matching, others } = candidatesOf(clause)
    return [...matching, ...others].slice(0, 60)
  })
  const all = [...candidates, ...examples.map(({ value }) => value)]
  const texts = clauses.some(isTextTest) || all.some((value) => typeof value === 'string')
  const values = texts ? [...all, 'something'] : all
  if (clauses.some(isTextTest)) return values.filter((value) => typeof value === 'string')
  if (clauses.some(isNumberTest)) return values.filter((value) => typeof value !== 'string')
  if (clauses.some(comparesTexts)) return values.filter((value) => typeof value === 'string')
  if (clauses.some(({ op }) => numberOps.has(op))) return values.filter((value) => typeof value !== 'string')
  return values
}

function isTextTest(clause: Clause): boolean {
  return textOps.has(clause.op) && !testsPresenceOnly(clause)
}

/**
 * Returns true if a clause compares numbers. A comparison with only 0 or the greatest number may test for presence
 * alone.
 */
function isNumberTest({ op, values }: Clause): boolean {
  return numberOps.has(op) && values.some((value) => value !== 0 && value !== Number.MAX_VALUE)
}

/** Tests whether the values of a clause contain texts that are not numbers. */
function comparesTexts({ op, values }: Clause): boolean {
  return op === 'in' && values.some((value) => typeof value === 'string' && String(Number(value)) !== value)
}

function clausesIn({ configs, segments }: RelatedRules): Clause[] {
  const rules = [
    ...configs.flatMap((example) => example.rules),
    ...[...segments.values()].flatMap((example) => example.rules),
  ]
  return rules.flatMap(({ clauses }) => clauses)
}

function keysIn({ configs, segments }: RelatedRules) {
  return [
    ...configs.flatMap(({ targets, contextTargets }) => [...targets, ...contextTargets]),
    ...[...segments.values()].flatMap(({ included, excluded, includedContexts, excludedContexts }) => [
      { contextKind: userKind, values: [...included.slice(0, 20), ...excluded.slice(0, 20)] },
      ...includedContexts,
      ...excludedContexts,
    ]),
  ]
}

/** Adds attributes to a context so that it matches a rule, for attributes whose matching values are easy to derive. */
function aimAtRule(draft: Draft, source: Source, { configs, segments }: RelatedRules, random: Random): void {
  const rule = random.pick(configs.flatMap(({ rules }) => rules))
  let pending: readonly Clause[] = rule?.clauses ?? []
  for (let depth = 0; depth < 5 && pending.length > 0; depth++) {
    pending = pending.flatMap((clause) => {
      if (clause.negate) return []
      if (clause.op === 'segmentMatch')
        return random.pick(segments.get(String(random.pick(clause.values)))?.rules ?? [])?.clauses ?? []
      satisfyClause(draft, source, clause, random)
      return []
    })
  }
}

function satisfyClause(draft: Draft, source: Source, clause: Clause, random: Random): void {
  const { keys = [], attributes } = source.get(clause.contextKind) ?? {}
  const knownValues: readonly unknown[] = clause.attribute === 'key' ? keys : (attributes?.get(clause.attribute) ?? [])
  const { matching, others } = candidatesOf(clause)
  const [matchingValues, nearValues] = [matching, others].map((list) =>
    list.filter((value) => knownValues.includes(value)),
  )
  const value = random.pick(matchingValues ?? []) ?? random.pick(nearValues ?? [])
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
  for (const [attribute, value] of values) if (value !== undefined) setAt(attributes, pathOf(attribute), value)
  return attributes
}

function setAt(target: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (name === undefined || name === 'kind') return
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner = target[name]
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  target[name] = next
  setAt(next, rest, value)
}
