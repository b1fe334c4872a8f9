import { attributeReader } from './attribute-reference.ts'
import { parseDateTime } from './date-time.ts'
import type { ClauseData } from './flag-data.ts'
import { re2Pattern } from './re2-pattern.ts'
import { isSearchable } from './safe-pattern.ts'
import { compareSemanticVersions, parseSemanticVersion, type SemanticVersion } from './semantic-version.ts'

/** The lowest version, and the highest one: no version precedes the first or follows the second. */
const lowest = parseSemanticVersion('0.0.0-0') as SemanticVersion
const highest = parseSemanticVersion([1, 2, 3].map(() => Number.MAX_SAFE_INTEGER).join('.')) as SemanticVersion

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'
const isDate = (value: unknown) => !Number.isNaN(parseDateTime(value))
const isPattern = (value: unknown) => typeof value === 'string' && isSearchable(value, re2Pattern)

const text = [isText, 'a text'] as const
const number = [isNumber, 'a number'] as const
const date = [isDate, 'a date of RFC 3339, such as 2024-05-01T00:00:00Z, or milliseconds'] as const
const version = 'a semantic version, such as 2.1.0'

/** For each operator, the name of the values that some attribute can match, and a test for such a value. */
const matchableValues: Readonly<Record<string, readonly [isMatchable: (value: unknown) => boolean, name: string]>> = {
  in: [() => true, 'a value'],
  startsWith: text,
  endsWith: text,
  contains: text,
  matches: [isPattern, 'a regular expression that the engine supports'],
  lessThan: number,
  lessThanOrEqual: number,
  greaterThan: number,
  greaterThanOrEqual: number,
  before: date,
  after: date,
  semVerEqual: [(value) => parseSemanticVersion(value) !== undefined, version],
  semVerLessThan: [(value) => comparesTo(value, lowest) > 0, `${version}, that is not the lowest one`],
  semVerGreaterThan: [(value) => comparesTo(value, highest) < 0, `${version}, that is not the highest one`],
  segmentMatch: [(value) => typeof value === 'string' && value !== '', 'the key of a segment'],
}

/** Returns a negative number if the value precedes a version, and a positive one if it follows; otherwise NaN or 0. */
function comparesTo(value: unknown, other: SemanticVersion): number {
  const parsed = parseSemanticVersion(value)
  return parsed ? compareSemanticVersions(parsed, other) : Number.NaN
}

/**
 * Returns the reason why no context can match a clause; undefined if some context can. One value that can match is
 * enough, because a clause matches if any of its values does. A negated clause without usable values matches every
 * context that has the attribute.
 *
 * @param clause a clause as SDKs receive it; a segment that it refers to is assumed to exist.
 *
 * @example
 * ```ts
 * import { unmatchableReason } from '@halyard/core/evaluation'
 *
 * const clause = { attribute: 'age', op: 'lessThan', values: ['18'] }
 * console.log(unmatchableReason(clause)) // must have a number in values
 * ```
 */
export function unmatchableReason({ attribute, contextKind, op, values, negate }: ClauseData): string | undefined {
  if (op !== 'segmentMatch' && !attributeReader(attribute, contextKind)) {
    return 'must have the name of an attribute, or a reference such as /address/city, in attribute'
  }
  if (negate === true) return undefined
  const [isMatchable, name] = matchableValues[op] ?? []
  if (!isMatchable) return 'must have a known operator'
  return values?.some(isMatchable) ? undefined : `must have ${name} in values`
}
