import { createRequire } from 'node:module'
import type { ClauseData, FlagData, FlagRuleData, SegmentData } from '../../flag-data.ts'
import type { EvaluationContext } from '../../subject.ts'
import type { PublishedCase } from './published-case.ts'

/*
 * Unleash/client-specification, read from its package and told in our rules. A strategy is a rule that serves true, and
 * another service's contexts become attributes of a user. What cannot be told is listed with its reason.
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

/** What is thrown for what our rules have no words for. */
class Untold extends Error {}

export interface ToldSpecification {
  readonly told: readonly PublishedCase[]
  /** How many cases are left out for which reason. */
  readonly untold: Readonly<Record<string, number>>
}

/** Tells all cases of the package that can be told. */
export function unleashSpecification(): ToldSpecification {
  const load = createRequire(import.meta.url)
  const folder = '@unleash/client-specification/specifications'
  const names = load(`${folder}/index.json`) as readonly string[]
  const told: PublishedCase[] = []
  const untold: Record<string, number> = {}
  const leaveOut = (reason: string) => {
    untold[reason] = (untold[reason] ?? 0) + 1
  }
  for (const name of names) {
    const { state, tests = [], variantTests = [] } = load(`${folder}/${name}`) as Specification
    for (const _ of variantTests) leaveOut('a variant is drawn by another hash')
    for (const { description, context, toggleName, expectedResult } of tests) {
      try {
        const { flags, segments } = toldState(state, toggleName)
        told.push({
          name: `${name.slice(0, 2)}: ${description}`,
          ...{ flags, segments, flagKey: toggleName, context: userOf(context), fallback: false },
          expected: { value: expectedResult },
        })
      } catch (thrown) {
        if (!(thrown instanceof Untold)) throw thrown
        leaveOut(thrown.message)
      }
    }
  }
  return { told, untold }
}

/** All their values are text; what reads as a number is there as one as well, for the operators of numbers. */
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

function toldState({ features, segments = [] }: Specification['state'], asked: string) {
  if (!features) throw new Untold('flags come by another protocol')
  const made: SegmentData[] = []
  for (const { id, constraints } of segments) {
    const clauses = constraints.map((constraint) => clauseOf(constraint, made))
    made.push({ key: `segment ${id}`, rules: [{ clauses }] })
  }
  const needed = new Set<string>()
  const add = (key: string) => {
    if (needed.has(key)) return
    needed.add(key)
    for (const { feature } of features.find(({ name }) => name === key)?.dependencies ?? []) add(feature)
  }
  add(asked)
  const flags = features.filter(({ name }) => needed.has(name)).map((one) => flagOf(one, features, made))
  return { flags, segments: made }
}

function flagOf(feature: Feature, features: readonly Feature[], made: SegmentData[]): FlagData {
  const { name, enabled, strategies, dependencies = [] } = feature
  const rules = strategies.flatMap((strategy) => ruleOf(strategy, made))
  const always = strategies.length === 0
  return {
    key: name,
    on: enabled,
    variations: [true, false],
    offVariation: 1,
    prerequisites: dependencies.map((one) => prerequisiteOf(one, name, features)),
    rules,
    fallthrough: { variation: always ? 0 : 1 },
  }
}

function prerequisiteOf(
  { feature, enabled = true, variants }: NonNullable<Feature['dependencies']>[number],
  child: string,
  features: readonly Feature[],
) {
  if (variants) throw new Untold('a variant is drawn by another hash')
  if (!enabled) throw new Untold('a prerequisite that is off is never met')
  const behind = features.find(({ name }) => name === feature)?.dependencies ?? []
  if (behind.some((one) => one.feature !== child)) throw new Untold('prerequisites may stand on others')
  return { key: feature, variation: 0 }
}

function ruleOf(
  { name, parameters = {}, constraints = [], segments = [] }: Strategy,
  made: SegmentData[],
): FlagRuleData[] {
  const clauses = ownClauses(name, parameters)
  if (!clauses) return []
  const also = [
    ...constraints.map((constraint) => clauseOf(constraint, made)),
    ...segments.map((id) => isIn(`segment ${id}`)),
  ]
  return [{ variation: 0, clauses: [...clauses, ...also] }]
}

/** What a strategy asks for by itself; undefined for one that nobody meets. */
function ownClauses(name: string, parameters: Readonly<Record<string, string>>): readonly ClauseData[] | undefined {
  const listed = (text = '') => text.split(/\s*,\s*/)
  switch (name) {
    case 'default':
      return []
    case 'userWithId':
      return [{ attribute: 'userId', op: 'in', values: listed(parameters.userIds) }]
    case 'remoteAddress':
      return [{ attribute: 'remoteAddress', op: 'in', values: listed(parameters.IPs) }]
    case 'flexibleRollout':
      return sharedBy(parameters.stickiness === 'default' ? undefined : parameters.stickiness, parameters.rollout)
    case 'gradualRolloutRandom':
      return sharedBy(undefined, parameters.percentage)
    case 'gradualRolloutUserId':
      return sharedBy('userId', parameters.percentage)
    case 'gradualRolloutSessionId':
      return sharedBy('sessionId', parameters.percentage)
    default:
      throw new Untold(`a strategy ${name}`)
  }
}

/** All or nobody. */
function sharedBy(attribute: string | undefined, percentage: string | undefined): readonly ClauseData[] | undefined {
  if (percentage === '0') return undefined
  if (percentage !== '100') throw new Untold('a share is drawn by another hash')
  return attribute === undefined ? [] : [{ attribute, op: 'matches', values: ['^'] }]
}

function isIn(key: string, negate = false): ClauseData {
  return { attribute: '', op: 'segmentMatch', values: [key], negate }
}

/** Their negation holds for whom an attribute is missing, ours does not: so the opposite is a segment to be not in. */
function clauseOf(constraint: Constraint, made: SegmentData[]): ClauseData {
  if (constraint.caseInsensitive) throw new Untold('no operator passes over the case of letters')
  const rules = clausesOf(constraint).map((clause) => ({ clauses: [clause] }))
  const key = `constraint ${made.length}`
  made.push({ key, rules })
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

/** Clauses of which one must match. */
function clausesOf({ contextName, operator, value, values }: Constraint): readonly ClauseData[] {
  const by = (op: string): ClauseData => ({ attribute: contextName, op, values: values ?? [value] })
  if (operator.startsWith('NUM_')) {
    return [{ attribute: asNumber(contextName), op: opOf[operator] as string, values: [Number(value)] }]
  }
  if (operator === 'SEMVER_GTE') return [by('semVerEqual'), by('semVerGreaterThan')]
  if (operator === 'SEMVER_LTE') return [by('semVerEqual'), by('semVerLessThan')]
  if (operator === 'IN_CIDR') throw new Untold('no operator knows ranges of addresses')
  if (operator === 'REGEX' && /\(\?[a-z]+\)|\[\[:|\\[1-9]/.test(value ?? '')) {
    throw new Untold('expressions are those of JavaScript: no flags inside, no classes of POSIX, but backreferences')
  }
  return [by(opOf[operator] ?? operator)]
}
