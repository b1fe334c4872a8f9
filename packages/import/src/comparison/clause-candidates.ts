import type { Clause, ClauseValue } from '../conditions/clause.ts'

/** Values of an attribute with which to test a clause. */
export interface CandidateValues {
  /** Values that match the clause, taken by itself. */
  readonly matching: readonly ClauseValue[]
  /** Values at and beyond the bounds of the clause. */
  readonly others: readonly ClauseValue[]
}

/**
 * Returns values to test a clause with: for each value of the clause, some that match and some that narrowly do not.
 */
export function candidatesOf({ op, values }: Pick<Clause, 'op' | 'values'>): CandidateValues {
  if (testsPresenceOnly({ op, values })) return { matching: [], others: [] }
  const lists = values.map((value) => candidatesFor(op, value))
  return {
    matching: lists.flatMap((candidates) => candidates.matching),
    others: lists.flatMap((candidates) => candidates.others),
  }
}

/**
 * Tests whether a clause only tests for the presence of a text, a number or a boolean. Values for such an attribute
 * come from other clauses.
 */
export function testsPresenceOnly({ op, values }: Pick<Clause, 'op' | 'values'>): boolean {
  const [first] = values
  if (op === 'in') return values.includes(true) && values.includes(false) && values.length === 2
  return first === '' || first === Number.MAX_VALUE || (op === 'matches' && first === '[^]')
}

function candidatesFor(op: Clause['op'], value: ClauseValue): CandidateValues {
  const text = String(value)
  switch (op) {
    case 'in':
      return { matching: [value], others: [otherValue(value)] }
    case 'startsWith':
      return { matching: [text, `${text}x`], others: [`x${text}`, text.slice(0, -1), text.toUpperCase()] }
    case 'endsWith':
      return { matching: [text, `x${text}`], others: [`${text}x`, text.slice(1), text.toUpperCase()] }
    case 'contains':
      return { matching: [text, `x${text}x`], others: [text.slice(1), text.slice(0, -1), text.toUpperCase()] }
    case 'lessThan':
    case 'lessThanOrEqual':
    case 'greaterThan':
    case 'greaterThanOrEqual':
      return numbersAround(op, Number(value))
    case 'before':
    case 'after':
      return timesAround(op, value)
    case 'semVerEqual':
    case 'semVerLessThan':
    case 'semVerGreaterThan':
      return { matching: [], others: versionsAround(text) }
    default:
      return { matching: [], others: [] }
  }
}

function otherValue(value: ClauseValue): ClauseValue {
  if (typeof value === 'boolean') return !value
  return typeof value === 'number' ? value + 1 : `${value}x`
}

function numbersAround(op: string, bound: number): CandidateValues {
  const [below, above] = [bound - 1, bound + 1]
  const inside = op.startsWith('less') ? below : above
  return { matching: [inside], others: [below, bound, above, bound + 0.5] }
}

function timesAround(op: string, value: ClauseValue): CandidateValues {
  const time = typeof value === 'number' ? value : Date.parse(String(value))
  if (Number.isNaN(time)) return { matching: [], others: [] }
  return { matching: [op === 'before' ? time - 1 : time + 1], others: [time - 1, time, time + 1] }
}

/** Returns the version itself, its neighbors, a pre-release of it, and a short form. */
function versionsAround(text: string): ClauseValue[] {
  const [, major, minor, patch] = (/^(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text) ?? []).map(Number)
  if (major === undefined || Number.isNaN(major)) return [text]
  const [minorVersion, patchVersion] = [minor || 0, patch || 0]
  const next = [`${major}.${minorVersion}.${patchVersion + 1}`, `${major}.${minorVersion + 1}.0`, `${major + 1}.0.0`]
  const previous = patchVersion > 0 ? `${major}.${minorVersion}.${patchVersion - 1}` : `${Math.max(0, major - 1)}.9.9`
  return [
    text,
    previous,
    ...next,
    `${major}.${minorVersion}.${patchVersion}-rc.1`,
    `${major}.${minorVersion}`,
    '0.0.0',
    'none',
  ]
}
