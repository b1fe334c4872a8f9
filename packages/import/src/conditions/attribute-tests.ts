import { type Clause, type ClauseValue, userClause } from './clause.ts'
import { all, any, type Condition, clauseCondition, never, not } from './condition.ts'

/** Names with a special meaning in contexts. */
const reservedNames: ReadonlySet<string> = new Set(['kind', 'key', 'anonymous', '_meta'])

/**
 * Returns the attribute reference of a clause for a plain attribute of a user.
 *
 * @returns undefined when an attribute cannot have that name.
 */
export function attributeReference(name: string): string | undefined {
  if (name === '' || name.length > 250 || reservedNames.has(name) || name in Object.prototype) return undefined
  return name.startsWith('/') ? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : name
}

/** Returns a condition that compares an attribute of the user. */
export function compareAttribute(attribute: string, op: Clause['op'], ...values: readonly ClauseValue[]): Condition {
  return values.length === 0 ? never : clauseCondition(userClause(attribute, op, values))
}

/** Matches every text except the empty one, with any characters. */
const anyText = '[^]'

/** Returns a condition that is true when an attribute is a text that is not empty, or a number. */
export function hasTextOrNumber(attribute: string): Condition {
  return any(
    compareAttribute(attribute, 'matches', anyText),
    compareAttribute(attribute, 'lessThanOrEqual', Number.MAX_VALUE),
  )
}

/** Returns a condition that is true when an attribute is a text, a number or a boolean. */
export function isPresent(attribute: string): Condition {
  const texts = compareAttribute(attribute, 'startsWith', '')
  return any(
    texts,
    compareAttribute(attribute, 'lessThanOrEqual', Number.MAX_VALUE),
    compareAttribute(attribute, 'in', true, false),
  )
}

/**
 * Returns a condition that is true when an attribute is truthy in JavaScript: neither missing, nor false, nor 0, nor
 * empty.
 */
export function isTruthy(attribute: string): Condition {
  const numbers = [compareAttribute(attribute, 'lessThan', 0), compareAttribute(attribute, 'greaterThan', 0)]
  return any(compareAttribute(attribute, 'matches', anyText), compareAttribute(attribute, 'in', true), ...numbers)
}

export type Comparison = '<' | '<=' | '>' | '>=' | '=' | '!='

/** Returns a condition that compares a number with a bound. */
export function compareNumber(attribute: string, comparison: Comparison, bound: number): Condition {
  if (comparison === '=') return compareAttribute(attribute, 'in', bound)
  if (comparison === '!=') return not(compareAttribute(attribute, 'in', bound))
  return compareAttribute(attribute, numberOps[comparison], bound)
}

const numberOps = {
  '<': 'lessThan',
  '<=': 'lessThanOrEqual',
  '>': 'greaterThan',
  '>=': 'greaterThanOrEqual',
} as const

/** A version with which an attribute is compared. */
export interface VersionBound {
  readonly comparison: Comparison
  readonly bound: string
  /** A pattern of the texts that the other service accepts as versions, if it accepts fewer texts than Halyard. */
  readonly form: string
}

/** Returns a condition that compares a semantic version. A text that is not a version never matches, not even `!=`. */
export function compareVersion(attribute: string, { comparison, bound, form }: VersionBound): Condition {
  const ops = versionOps[comparison].map((op) => compareAttribute(attribute, op, bound))
  return all(compareAttribute(attribute, 'matches', form), any(...ops))
}

const versionOps = {
  '<': ['semVerLessThan'],
  '<=': ['semVerLessThan', 'semVerEqual'],
  '>': ['semVerGreaterThan'],
  '>=': ['semVerGreaterThan', 'semVerEqual'],
  '=': ['semVerEqual'],
  '!=': ['semVerLessThan', 'semVerGreaterThan'],
} as const

/** Full versions, such as `1.2.3` and `1.2.3-rc.1`. */
export const fullVersion = '^\\d+\\.\\d+\\.\\d+(?:[-+]|$)'

/** Full versions, and `1` and `1.2`. */
export const shortVersion = '^\\d+(?:\\.\\d+(?:\\.\\d+(?:[-+].*)?)?)?$'
