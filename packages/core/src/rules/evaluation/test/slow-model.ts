import { createHash } from 'node:crypto'
import type { ClauseData, FlagData, SegmentData, ServeData } from '../flag-data.ts'
import type { EvaluationContext } from '../subject.ts'

/** Input of the model: plain lists that are searched linearly. */
export interface ModelEnvironment {
  readonly flags: readonly FlagData[]
  readonly segments: readonly SegmentData[]
  /**
   * Keyed by context key, then by name and generation of the segment; undefined if the memberships were not looked up.
   */
  readonly memberships?: Readonly<Record<string, Readonly<Record<string, boolean>>>>
}

export interface ModelOutcome {
  readonly value: unknown
  readonly variationIndex: number | null
  readonly reason: Readonly<Record<string, unknown>>
}

class Malformed extends Error {}

const statuses = ['HEALTHY', 'NOT_CONFIGURED']

type Parts = Readonly<Record<string, Record<string, unknown>>>

/** Evaluates a flag in the most direct way, without regard to speed; tests compare the fast implementation with it. */
export function evaluateWithModel(
  environment: ModelEnvironment,
  flagKey: string,
  context: EvaluationContext,
): ModelOutcome {
  const parts = partsOf(context)
  if (!parts) return error('USER_NOT_SPECIFIED')
  const flag = environment.flags.find(({ key }) => key === flagKey)
  return flag ? new SlowModel(environment, parts).evaluate(flag) : error('FLAG_NOT_FOUND')
}

/** One evaluation. */
class SlowModel {
  readonly #environment: ModelEnvironment
  readonly #parts: Parts
  /** Worst status of the big segments that were looked up so far. */
  #status: string | undefined

  constructor(environment: ModelEnvironment, parts: Parts) {
    this.#environment = environment
    this.#parts = parts
  }

  evaluate(flag: FlagData): ModelOutcome {
    const outcome = this.#outcomeOrError(flag)
    if (this.#status === undefined) return outcome
    return { ...outcome, reason: { ...outcome.reason, bigSegmentsStatus: this.#status } }
  }

  #outcomeOrError(flag: FlagData): ModelOutcome {
    try {
      return this.#flagOutcome(flag, [])
    } catch (thrown) {
      if (!(thrown instanceof Malformed)) throw thrown
      return error('MALFORMED_FLAG')
    }
  }

  #note(status: string): void {
    const currentStatus = this.#status
    if (currentStatus === undefined || statuses.indexOf(status) > statuses.indexOf(currentStatus)) this.#status = status
  }

  #flagOutcome(flag: FlagData, path: readonly string[]): ModelOutcome {
    if (!flag.on) return off(flag, { kind: 'OFF' })
    for (const prerequisite of flag.prerequisites ?? []) {
      const other = this.#environment.flags.find(({ key }) => key === prerequisite.key)
      if ([...path, flag.key].includes(prerequisite.key)) throw new Malformed()
      const failed = off(flag, { kind: 'PREREQUISITE_FAILED', prerequisiteKey: prerequisite.key }, other !== undefined)
      if (!other) return failed
      const { variationIndex, reason } = this.#flagOutcome(other, [...path, flag.key])
      if (reason.kind === 'OFF' || variationIndex !== prerequisite.variation) {
        return off(flag, { kind: 'PREREQUISITE_FAILED', prerequisiteKey: prerequisite.key })
      }
    }
    for (const { variation, values, kind } of targetsOf(flag)) {
      const key = this.#parts[kind]?.key
      if (key !== undefined && values.includes(key as string))
        return variationOf(flag, variation, { kind: 'TARGET_MATCH' })
    }
    for (const [ruleIndex, rule] of (flag.rules ?? []).entries()) {
      if (!(rule.clauses ?? []).every((clause) => this.#clauseMatches(clause, []))) continue
      return this.#served(flag, rule, { kind: 'RULE_MATCH', ruleIndex, ruleId: rule.id })
    }
    return this.#served(flag, flag.fallthrough ?? {}, { kind: 'FALLTHROUGH' })
  }

  #served(flag: FlagData, { variation, rollout }: ServeData, reason: object): ModelOutcome {
    if (variation !== undefined && variation !== null) return variationOf(flag, variation, reason)
    const shares = rollout?.variations ?? []
    if (!rollout || shares.length === 0) throw new Malformed()
    const experiment = rollout.kind === 'experiment'
    const kind = rollout.contextKind ?? 'user'
    const attribute = experiment || !rollout.bucketBy ? 'key' : rollout.bucketBy
    const value = this.#lookUp(attribute, kind, experiment || rollout.contextKind === undefined)
    const bucketValue = bucket(rollout.seed === undefined ? `${flag.key}.${flag.salt}` : `${rollout.seed}`, value)
    let end = 0
    const share = shares.find(({ weight }) => bucketValue < (end += weight / 100_000)) ?? shares.at(-1)
    const inExperiment = experiment && this.#parts[kind] !== undefined && !share?.untracked
    return variationOf(flag, share?.variation as number, inExperiment ? { ...reason, inExperiment } : reason)
  }

  #clauseMatches(clause: ClauseData, path: readonly string[]): boolean {
    const negate = clause.negate ?? false
    if (clause.op === 'segmentMatch') {
      const isInSegment = (clause.values ?? []).some((name) => {
        const segment = this.#environment.segments.find(({ key }) => key === name)
        if (!segment) return false
        if (path.includes(segment.key)) throw new Malformed()
        return this.#isIn(segment, [...path, segment.key])
      })
      return isInSegment !== negate
    }
    if (!clause.attribute || clause.attribute.includes('//')) throw new Malformed()
    const value = this.#lookUp(clause.attribute, clause.contextKind ?? 'user', clause.contextKind === undefined)
    if (value === null || value === undefined) return false
    const values = Array.isArray(value) ? value : [value]
    return (
      values.some((candidate) => (clause.values ?? []).some((other) => compare(clause.op, candidate, other))) !== negate
    )
  }

  #isIn(segment: SegmentData, path: readonly string[]): boolean {
    if (segment.unbounded) {
      const key = this.#parts[segment.unboundedContextKind ?? 'user']?.key as string | undefined
      if (!key) return false
      if (!segment.generation) {
        this.#note('NOT_CONFIGURED')
        return false
      }
      const lists = this.#environment.memberships?.[key]
      this.#note(lists ? 'HEALTHY' : 'NOT_CONFIGURED')
      const listed = lists?.[`${segment.key}.g${segment.generation}`]
      if (listed !== undefined) return listed
    } else {
      const listed = (lists: SegmentData['includedContexts'], users: SegmentData['included']) =>
        [...(lists ?? []), { contextKind: 'user', values: users }].some(({ contextKind = 'user', values }) =>
          values?.includes(this.#parts[contextKind]?.key as string),
        )
      if (listed(segment.includedContexts, segment.included)) return true
      if (listed(segment.excludedContexts, segment.excluded)) return false
    }
    return (segment.rules ?? []).some((rule) => {
      if (!(rule.clauses ?? []).every((clause) => this.#clauseMatches(clause, path))) return false
      if (rule.weight === undefined || rule.weight === null) return true
      const plain = rule.rolloutContextKind === undefined
      const value = this.#lookUp(rule.bucketBy ?? 'key', rule.rolloutContextKind ?? 'user', plain)
      return bucket(`${segment.key}.${segment.salt}`, value) < rule.weight / 100_000
    })
  }

  #lookUp(reference: string, kind: string, plain: boolean): unknown {
    const names = plain || !reference.startsWith('/') ? [reference] : reference.slice(1).split('/')
    const path = plain ? names : names.map((name) => name.replace('~1', '/'))
    if (path.length === 1 && path[0] === 'kind') return Object.keys(this.#parts)
    const context = this.#parts[kind]
    if (context && path.length === 1 && path[0] === 'anonymous') return Boolean(context.anonymous)
    return path.reduce<unknown>(
      (value, name) =>
        value !== null && typeof value === 'object' && !Array.isArray(value)
          ? new Map(Object.entries(value)).get(name)
          : undefined,
      context,
    )
  }
}

function targetsOf({ targets, contextTargets }: FlagData) {
  const users = (targets ?? []).map(({ variation, values }) => ({ variation, values: values ?? [], kind: 'user' }))
  if (!contextTargets?.length) return users
  return contextTargets.flatMap(({ contextKind = 'user', variation, values }) => {
    if (contextKind !== 'user') return [{ variation, values: values ?? [], kind: contextKind }]
    return users.filter((user) => user.variation === variation).slice(0, 1)
  })
}

function partsOf(context: EvaluationContext): Record<string, Record<string, unknown>> | undefined {
  const { kind, ...rest } = context
  if (kind === undefined) {
    const { custom, key, name, anonymous } = rest as Record<string, unknown>
    const entries = Object.entries({ name, anonymous }).filter(([, value]) => value !== undefined && value !== null)
    return { user: { ...(custom as object), ...Object.fromEntries(entries), key } }
  }
  const parts = (kind === 'multi' ? rest : { [kind as string]: rest }) as Record<string, Record<string, unknown>>
  const all = Object.entries(parts)
  const isValid = all.every(
    ([name, { key }]) => /^[\w.-]+$/.test(name) && name !== 'kind' && typeof key === 'string' && key !== '',
  )
  return all.length > 0 && isValid ? parts : undefined
}

function bucket(prefix: string, value: unknown): number {
  if (typeof value !== 'string' && !Number.isInteger(value)) return 0
  const digits = createHash('sha1').update(`${prefix}.${value}`).digest('hex').slice(0, 15)
  return Number.parseInt(digits, 16) / 2 ** 60
}

function variationOf(flag: FlagData, index: number, reason: object): ModelOutcome {
  if (index < 0 || index >= (flag.variations?.length ?? 0)) throw new Malformed()
  return { value: flag.variations?.[index], variationIndex: index, reason: reason as never }
}

function off(flag: FlagData, reason: object, dry = false): ModelOutcome {
  if (dry || typeof flag.offVariation !== 'number')
    return { value: undefined, variationIndex: null, reason: reason as never }
  return variationOf(flag, flag.offVariation, reason)
}

function error(errorKind: string): ModelOutcome {
  return { value: undefined, variationIndex: null, reason: { kind: 'ERROR', errorKind } }
}

function compare(op: string, a: unknown, b: unknown): boolean {
  const texts = typeof a === 'string' && typeof b === 'string'
  const numbers = typeof a === 'number' && typeof b === 'number'
  if (op === 'in') return a === b
  if (op === 'startsWith') return texts && a.slice(0, b.length) === b
  if (op === 'endsWith') return texts && a.length >= b.length && a.slice(a.length - b.length) === b
  if (op === 'contains') return texts && a.indexOf(b) >= 0
  if (op === 'matches') return texts && matches(a, b)
  if (op === 'lessThan') return numbers && a < b
  if (op === 'lessThanOrEqual') return numbers && a <= b
  if (op === 'greaterThan') return numbers && a > b
  if (op === 'greaterThanOrEqual') return numbers && a >= b
  if (op === 'before') return moment(a) < moment(b)
  if (op === 'after') return moment(a) > moment(b)
  const [x, y] = [version(a), version(b)]
  if (!x || !y) return false
  if (op === 'semVerEqual') return x.join() === y.join()
  if (op === 'semVerLessThan') return isLess(x, y)
  if (op === 'semVerGreaterThan') return isLess(y, x)
  return false
}

function matches(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern).test(text)
  } catch {
    return false
  }
}

function moment(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.includes('T') ? new Date(value).getTime() : Number.NaN
}

/** Parses a version to three numbers, then 1 for a release, or 0 and the identifiers of a prerelease. */
function version(text: unknown): (number | string)[] | undefined {
  if (typeof text !== 'string') return undefined
  const [main = '', ...rest] = (text.split('+')[0] as string).split('-')
  const parts = main.split('.')
  if (parts.length > 3 || !parts.every((part) => /^(0|[1-9]\d*)$/.test(part))) return undefined
  const three = [0, 1, 2].map((index) => Number(parts[index] ?? 0))
  const early = rest.length === 0 ? [] : rest.join('-').split('.')
  if (!early.every((part) => /^[\dA-Za-z-]+$/.test(part) && !/^0\d+$/.test(part))) return undefined
  return [...three, early.length === 0 ? 1 : 0, ...early.map((part) => (/^\d+$/.test(part) ? Number(part) : part))]
}

function isLess(a: readonly (number | string)[], b: readonly (number | string)[]): boolean {
  const index = a.findIndex((part, i) => part !== b[i])
  if (index < 0) return b.length > a.length
  const [x, y] = [a[index] as number | string, b[index]]
  if (y === undefined) return false
  return typeof x === typeof y ? x < y : typeof x === 'number'
}
