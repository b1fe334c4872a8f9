import { parseDateTime } from './date-time.ts'
import { type CompilePattern, safePattern } from './safe-pattern.ts'
import { compareSemanticVersions, parseSemanticVersion } from './semantic-version.ts'

/** Tests if one value of an attribute matches any value of a clause. */
export type ValueTest = (value: unknown) => boolean

const never: ValueTest = () => false

/**
 * Makes the test of an operator. Values of types that the operator does not support match nothing; unknown operators
 * match nothing either.
 *
 * @param compilePattern compiles patterns that could be slow; without it such a search does not match.
 */
export function valueTest(op: string, values: readonly unknown[], compilePattern?: CompilePattern): ValueTest {
  switch (op) {
    case 'in':
      return inTest(values)
    case 'startsWith':
      return textTest(values, (text, part) => text.startsWith(part))
    case 'endsWith':
      return textTest(values, (text, part) => text.endsWith(part))
    case 'contains':
      return textTest(values, (text, part) => text.includes(part))
    case 'matches': {
      const patterns = textsAmong(values).flatMap((source) => safePattern(source, compilePattern) ?? [])
      return (value) => typeof value === 'string' && patterns.some((matches) => matches(value))
    }
    // A clause matches if a number is less than at least one of its bounds, so only the largest bound is tested.
    case 'lessThan':
      return numberTest(numbersAmong(values), Math.max, (value, bound) => value < bound)
    case 'lessThanOrEqual':
      return numberTest(numbersAmong(values), Math.max, (value, bound) => value <= bound)
    case 'greaterThan':
      return numberTest(numbersAmong(values), Math.min, (value, bound) => value > bound)
    case 'greaterThanOrEqual':
      return numberTest(numbersAmong(values), Math.min, (value, bound) => value >= bound)
    case 'before':
      return numberTest(timesAmong(values), Math.max, (value, bound) => value < bound, parseDateTime)
    case 'after':
      return numberTest(timesAmong(values), Math.min, (value, bound) => value > bound, parseDateTime)
    case 'semVerEqual':
      return versionTest(values, (order) => order === 0)
    case 'semVerLessThan':
      return versionTest(values, (order) => order < 0)
    case 'semVerGreaterThan':
      return versionTest(values, (order) => order > 0)
    default:
      return never
  }
}

function inTest(values: readonly unknown[]): ValueTest {
  if (values.length === 1) {
    const [only] = values
    return (value) => value === only
  }
  const all = new Set(values)
  return (value) => all.has(value)
}

function textTest(values: readonly unknown[], matches: (text: string, part: string) => boolean): ValueTest {
  const parts = textsAmong(values)
  const [only] = parts
  if (parts.length === 1) return (value) => typeof value === 'string' && matches(value, only as string)
  return (value) => typeof value === 'string' && parts.some((part) => matches(value, part))
}

function numberTest(
  bounds: readonly number[],
  pick: (...numbers: number[]) => number,
  matches: (value: number, bound: number) => boolean,
  read: (value: unknown) => number = (value) => (typeof value === 'number' ? value : Number.NaN),
): ValueTest {
  if (bounds.length === 0) return never
  const bound = bounds.reduce((best, candidate) => pick(best, candidate))
  return (value) => matches(read(value), bound)
}

function versionTest(values: readonly unknown[], matches: (order: number) => boolean): ValueTest {
  const versions = values.flatMap((value) => {
    const version = parseSemanticVersion(value)
    return version ? [version] : []
  })
  if (versions.length === 0) return never
  return (value) => {
    const version = parseSemanticVersion(value)
    return version !== undefined && versions.some((candidate) => matches(compareSemanticVersions(version, candidate)))
  }
}

function textsAmong(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string')
}

function numbersAmong(values: readonly unknown[]): number[] {
  return values.filter((value) => typeof value === 'number')
}

function timesAmong(values: readonly unknown[]): number[] {
  return values.map(parseDateTime).filter((time) => !Number.isNaN(time))
}
