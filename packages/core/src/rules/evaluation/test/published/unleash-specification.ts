import { createRequire } from 'node:module'
import type { ClauseData, FlagData, FlagRuleData, SegmentData } from '../../flag-data.ts'
import type { EvaluationContext } from '../../subject.ts'
import type { PublishedCase } from './published-case.ts'

/*
 * Unleash/client-specification, read from its package and converted to our rules. A strategy becomes a rule that serves
 * true, and the contexts of the other service become attributes of a user. Cases that cannot be converted are counted
 * by reason.
 */

interface Constraint {
  readonly contextName: string
  readonly operator: string
  readonly value?: string
  readonly values?: readonly string[]
  readonly inverted?: boolean
  readonly caseInsensitive?: boolean
}

interface Strategy {
  readonly name: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly constraints?: readonly Constraint[]
  readonly segments?: readonly number[]
}

interface Feature {
  readonly name: string
  readonly enabled: boolean
  readonly strategies: readonly Strategy[]
  readonly dependencies?: readonly {
    readonly feature: string
    readonly enabled?: boolean
    readonly variants?: unknown
  }[]
}

interface Specification {
  readonly name: string
  readonly state: {
    readonly features?: readonly Feature[]
    readonly segments?: readonly { readonly id: number; readonly constraints: readonly Constraint[] }[]
  }
  readonly tests?: readonly {
    readonly description: string
    readonly context: Readonly<Record<string, unknown>>
    readonly toggleName: string
    readonly expectedResult: boolean
  }[]
  readonly variantTests?: readonly { readonly description: string }[]
}

/** Thrown if our rules cannot represent a feature of the specification. */
class UnsupportedFeature extends Error {}

export interface ConvertedSpecification {
  readonly supported: readonly PublishedCase[]
  /** Number of omitted cases by reason. */
  readonly unsupported: Readonly<Record<string, number>>
}

/** Converts all cases of the package that our rules can represent. */
export function unleashSpecification(): ConvertedSpecification {
  const load = createRequire(import.meta.url)
  const folder = '@unleash/client-specification/specifications'
  const names = load(`${folder}/index.json`) as readonly string[]
  const supported: PublishedCase[] = []
  const unsupported: Record<string, number> = {}
  const leaveOut = (reason: string) => {
    unsupported[reason] = (unsupported[reason] ?? 0) + 1
  }
  for (const name of names) {
    const { state, tests = [], variantTests = [] } = load(`${folder}/${name}`) as Specification
    for (const _ of variantTests) leaveOut('a variant uses another hash')
    for (const { description, context, toggleName, expectedResult } of tests) {
      try {
        const { flags, segments } = convertState(state, toggleName)
        supported.push({
          name: `${name.slice(0, 2)}: ${description}`,
          ...{ flags, segments, flagKey: toggleName, context: userOf(context), fallback: false },
          expected: { value: expectedResult },
        })
      } catch (thrown) {
        if (!(thrown instanceof UnsupportedFeature)) throw thrown
        leaveOut(thrown.message)
      }
    }
  }
  return { supported, unsupported }
}

/**
 * Converts a context to a user. All values of such a context are text. A text that is a number is also added as a
 * number, for the number operators.
 */
function userOf({ properties, ...fields }: Readonly<Record<string, unknown>>): EvaluationContext {
  const attributes = { ...(properties as object | undefined), ...fields }
  const numbers = Object.entries(attributes).flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))
      ? [[asNumber(name), Number(value)]]
      : [],
  )
  return { ...attributes, ...Object.fromEntries(numbers), kind: 'user', key: 'k' }
}

const asNumber = (name: string) => `${name} as a number`

function convertState({ features, segments = [] }: Specification['state'], requestedKey: string) {
  if (!features) throw new UnsupportedFeature('flags use another protocol')
  const createdSegments: SegmentData[] = []
  for (const { id, constraints } of segments) {
    const clauses = constraints.map((constraint) => clauseOf(constraint, createdSegments))
    createdSegments.push({ key: `segment ${id}`, rules: [{ clauses }] })
  }
  const neededKeys = new Set<string>()
  const add = (key: string) => {
    if (neededKeys.has(key)) return
    neededKeys.add(key)
    for (const { feature } of features.find(({ name }) => name === key)?.dependencies ?? []) add(feature)
  }
  add(requestedKey)
  const flags = features
    .filter(({ name }) => neededKeys.has(name))
    .map((feature) => flagOf(feature, features, createdSegments))
  return { flags, segments: createdSegments }
}

function flagOf(feature: Feature, features: readonly Feature[], createdSegments: SegmentData[]): FlagData {
  const { name, enabled, strategies, dependencies = [] } = feature
  const rules = strategies.flatMap((strategy) => ruleOf(strategy, createdSegments))
  const always = strategies.length === 0
  return {
    key: name,
    on: enabled,
    variations: [true, false],
    offVariation: 1,
    prerequisites: dependencies.map((dependency) => prerequisiteOf(dependency, name, features)),
    rules,
    fallthrough: { variation: always ? 0 : 1 },
  }
}

function prerequisiteOf(
  { feature, enabled = true, variants }: NonNullable<Feature['dependencies']>[number],
  child: string,
  features: readonly Feature[],
) {
  if (variants) throw new UnsupportedFeature('a variant uses another hash')
  if (!enabled) throw new UnsupportedFeature('a prerequisite that is off is never met')
  const parentDependencies = features.find(({ name }) => name === feature)?.dependencies ?? []
  if (parentDependencies.some((dependency) => dependency.feature !== child))
    throw new UnsupportedFeature('prerequisites may have prerequisites')
  return { key: feature, variation: 0 }
}

function ruleOf(
  { name, parameters = {}, constraints = [], segments = [] }: Strategy,
  createdSegments: SegmentData[],
): FlagRuleData[] {
  const clauses = ownClauses(name, parameters)
  if (!clauses) return []
  const additionalClauses = [
    ...constraints.map((constraint) => clauseOf(constraint, createdSegments)),
    ...segments.map((id) => isIn(`segment ${id}`)),
  ]
  return [{ variation: 0, clauses: [...clauses, ...additionalClauses] }]
}

/** Returns the clauses of a strategy itself; undefined if the strategy matches no context. */
function ownClauses(name: string, parameters: Readonly<Record<string, string>>): readonly ClauseData[] | undefined {
  const splitList = (text = '') => text.split(/\s*,\s*/)
  switch (name) {
    case 'default':
      return []
    case 'userWithId':
      return [{ attribute: 'userId', op: 'in', values: splitList(parameters.userIds) }]
    case 'remoteAddress':
      return [{ attribute: 'remoteAddress', op: 'in', values: splitList(parameters.IPs) }]
    case 'flexibleRollout':
      return percentageClauses(
        parameters.stickiness === 'default' ? undefined : parameters.stickiness,
        parameters.rollout,
      )
    case 'gradualRolloutRandom':
      return percentageClauses(undefined, parameters.percentage)
    case 'gradualRolloutUserId':
      return percentageClauses('userId', parameters.percentage)
    case 'gradualRolloutSessionId':
      return percentageClauses('sessionId', parameters.percentage)
    default:
      throw new UnsupportedFeature(`a strategy ${name}`)
  }
}

/** Returns the clauses for 100 percent or 0 percent; other percentages are not supported. */
function percentageClauses(
  attribute: string | undefined,
  percentage: string | undefined,
): readonly ClauseData[] | undefined {
  if (percentage === '0') return undefined
  if (percentage !== '100') throw new UnsupportedFeature('a percentage uses another hash')
  return attribute === undefined ? [] : [{ attribute, op: 'matches', values: ['^'] }]
}

function isIn(key: string, negate = false): ClauseData {
  return { attribute: '', op: 'segmentMatch', values: [key], negate }
}

/**
 * Converts a constraint. In Unleash a negation also matches if the attribute is absent, and a negated clause here does
 * not. So a negation becomes a segment that must not contain the context.
 */
function clauseOf(constraint: Constraint, createdSegments: SegmentData[]): ClauseData {
  if (constraint.caseInsensitive) throw new UnsupportedFeature('no operator ignores letter case')
  const rules = clausesOf(constraint).map((clause) => ({ clauses: [clause] }))
  const key = `constraint ${createdSegments.length}`
  createdSegments.push({ key, rules })
  return isIn(key, (constraint.operator === 'NOT_IN') !== (constraint.inverted ?? false))
}

const opOf: Readonly<Record<string, string>> = {
  IN: 'in',
  NOT_IN: 'in',
  STR_STARTS_WITH: 'startsWith',
  STR_ENDS_WITH: 'endsWith',
  STR_CONTAINS: 'contains',
  NUM_EQ: 'in',
  NUM_GT: 'greaterThan',
  NUM_GTE: 'greaterThanOrEqual',
  NUM_LT: 'lessThan',
  NUM_LTE: 'lessThanOrEqual',
  DATE_AFTER: 'after',
  DATE_BEFORE: 'before',
  SEMVER_EQ: 'semVerEqual',
  SEMVER_GT: 'semVerGreaterThan',
  SEMVER_LT: 'semVerLessThan',
  REGEX: 'matches',
}

/** Returns alternative clauses: the constraint holds when one of them matches. */
function clausesOf({ contextName, operator, value, values }: Constraint): readonly ClauseData[] {
  const clauseWith = (op: string): ClauseData => ({ attribute: contextName, op, values: values ?? [value] })
  if (operator.startsWith('NUM_')) {
    return [{ attribute: asNumber(contextName), op: opOf[operator] as string, values: [Number(value)] }]
  }
  if (operator === 'SEMVER_GTE') return [clauseWith('semVerEqual'), clauseWith('semVerGreaterThan')]
  if (operator === 'SEMVER_LTE') return [clauseWith('semVerEqual'), clauseWith('semVerLessThan')]
  if (operator === 'IN_CIDR') throw new UnsupportedFeature('no operator supports IP address ranges')
  if (operator === 'REGEX' && /\(\?[a-z]+\)|\[\[:|\\[1-9]/.test(value ?? '')) {
    throw new UnsupportedFeature(
      'patterns are JavaScript patterns: no inline flags, no POSIX classes, but backreferences',
    )
  }
  return [clauseWith(opOf[operator] ?? operator)]
}
