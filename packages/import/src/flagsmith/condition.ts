import { attributeNamed, compareNumber, compareVersion, fullVersion, test } from '../conditions/attribute-tests.ts'
import type { ClauseValue } from '../conditions/clause.ts'
import { all, always, any, type Condition, holds, never, not } from '../conditions/condition.ts'
import { isThere, isThereAndTrue } from '../conditions/is-there.ts'
import {
  anyCharacter,
  isSearchable,
  leaveOut,
  longestValue,
  plainVersion,
  type Telling,
  within,
} from '../conditions/told.ts'
import type { FlagsmithCondition, FlagsmithRule } from './document.ts'

/** State of the translation of a segment's conditions. */
export interface TellingSegment extends Telling {
  /** Name of the segment. */
  readonly name: string
  /** Tests whether a trait is compared as a number in any segment of the export. */
  readonly isNumber: (attribute: string) => boolean
}

/**
 * Returns the condition of a segment's rules, which must all match. A segment without rules contains no context.
 *
 * A trait is compared by the type that its value looks like: `EQUAL gold` tests for a text, `EQUAL 40` for the number
 * 40 or the text `40`, and only for the number when another condition compares the trait with less or greater.
 */
export function conditionOfRules(telling: TellingSegment, rules: readonly FlagsmithRule[]): Condition {
  return rules.length === 0 ? never : all(...rules.map((rule) => conditionOfRule(telling, rule)))
}

/** Returns the traits that rules compare as numbers. */
export function numbersIn(rules: readonly FlagsmithRule[]): string[] {
  return rules.flatMap((rule) => [
    ...(rule.conditions ?? []).filter(isOfNumber).map(({ property_, property }) => property_ ?? property ?? ''),
    ...numbersIn(rule.rules ?? []),
  ])
}

function isOfNumber({ operator, value }: FlagsmithCondition): boolean {
  return operator === 'MODULO' || (operator in signs && typeof value === 'string' && !value.endsWith(':semver'))
}

/** The type combines the conditions and, separately, the nested rules of the rule. */
function conditionOfRule(telling: TellingSegment, { type, conditions, rules }: FlagsmithRule): Condition {
  const deeper = type === 'NONE' ? { ...telling, ...within(telling) } : telling
  const own = (conditions ?? []).map((one) => conditionOf(deeper, one))
  const nested = (rules ?? []).map((one) => conditionOfRule(deeper, one))
  return all(combined(type, own), combined(type, nested))
}

function combined(type: FlagsmithRule['type'], parts: readonly Condition[]): Condition {
  if (parts.length === 0) return always
  if (type === 'ANY') return any(...parts)
  return type === 'ALL' ? all(...parts) : all(...parts.map(not))
}

function conditionOf(telling: TellingSegment, condition: FlagsmithCondition): Condition {
  const { operator, value } = condition
  const property = condition.property_ ?? condition.property ?? ''
  if (operator === 'PERCENTAGE_SPLIT') return shareOf(telling, property, value)
  if (property === '') return never
  const attribute = attributeOf(property)
  if (attribute === undefined) {
    const why = 'a context attribute cannot have this name'
    return leaveOut(telling, `a condition on ${property}`, why, 'send it under another name')
  }
  if (operator === 'IS_SET') return attribute === 'key' ? always : isThere(attribute)
  if (operator === 'IS_NOT_SET') return attribute === 'key' ? never : not(isThere(attribute))
  if (operator === 'IN') return listTest(telling, attribute, listOf(value))
  if (value === null || value === undefined || Array.isArray(value)) return never
  return comparison(telling, operator, attribute, String(value))
}

/** Returns the reference of a trait, or of the identifier, which is the key of a context. */
function attributeOf(property: string): string | undefined {
  if (property === '$.identity.identifier') return 'key'
  const trait = /^\$\.identity\.traits\.([A-Za-z_]\w*)$/.exec(property)?.[1]
  if (trait !== undefined) return attributeNamed(trait)
  return property.startsWith('$.') ? undefined : attributeNamed(property)
}

function comparison(telling: TellingSegment, operator: string, attribute: string, value: string): Condition {
  if (value.length > longestValue) return tooLong(telling, operator)
  const asVersion = value.endsWith(':semver')
    ? versionTest(telling, operator, attribute, value.replace(':semver', ''))
    : undefined
  if (asVersion) return asVersion
  switch (operator) {
    case 'EQUAL':
      return test(attribute, 'in', ...equalValues(telling, attribute, value))
    case 'NOT_EQUAL':
      return unlike(test(attribute, 'in', ...equalValues(telling, attribute, value)))
    case 'CONTAINS':
      return value === '' ? test(attribute, 'matches', anyCharacter) : test(attribute, 'contains', value)
    case 'NOT_CONTAINS':
      // Only texts match.
      return value === '' ? never : all(test(attribute, 'startsWith', ''), unlike(test(attribute, 'contains', value)))
    case 'REGEX':
      return patternTest(telling, attribute, value)
    case 'GREATER_THAN':
    case 'GREATER_THAN_INCLUSIVE':
    case 'LESS_THAN':
    case 'LESS_THAN_INCLUSIVE':
      return numberTest(telling, operator, attribute, value)
    default:
      return leaveOut(telling, `a condition ${operator}`, 'clauses cannot express this', 'compute the result in your code and send it as an attribute')
  }
}

/** Returns a negation that a missing trait does not match. */
function unlike(one: Condition): Condition {
  return one.kind === 'clause' ? holds({ ...one.clause, negate: true }) : not(one)
}

const signs = {
  GREATER_THAN: '>',
  GREATER_THAN_INCLUSIVE: '>=',
  LESS_THAN: '<',
  LESS_THAN_INCLUSIVE: '<=',
} as const

function numberTest(
  telling: TellingSegment,
  operator: keyof typeof signs,
  attribute: string,
  value: string,
): Condition {
  const bound = Number(value)
  if (value.trim() !== '' && Number.isFinite(bound)) return compareNumber(attribute, signs[operator], bound)
  return leaveOut(telling, `${operator} "${value}"`, 'clauses cannot compare the order of texts', 'list the texts')
}

const versionSigns: Readonly<Record<string, '>' | '>=' | '<' | '<=' | '='>> = { ...signs, EQUAL: '=' }

/** @returns undefined when the operator ignores the ending. */
function versionTest(
  telling: TellingSegment,
  operator: string,
  attribute: string,
  value: string,
): Condition | undefined {
  if (operator === 'NOT_EQUAL') return unlike(test(attribute, 'in', value))
  if (operator === 'CONTAINS') return test(attribute, 'contains', value)
  const sign = versionSigns[operator]
  if (sign === undefined) return undefined
  const version = plainVersion(value)
  if (version !== undefined) return compareVersion(attribute, sign, version, fullVersion)
  return leaveOut(telling, `${operator} "${value}:semver"`, 'the text is not a version of three numbers', 'write the version with all three numbers')
}

function patternTest(telling: TellingSegment, attribute: string, source: string): Condition {
  if (source === '' || !isPattern(source)) return never
  if (isSearchable(source)) return test(attribute, 'matches', source)
  const why = 'lookarounds and backreferences cannot be searched in long texts'
  return leaveOut(telling, `REGEX "${source}"`, why, 'write a pattern without them')
}

function isPattern(source: string): boolean {
  try {
    return Boolean(new RegExp(source))
  } catch {
    return false
  }
}

/** Returns the values of a trait that equal a value written as text. */
function equalValues({ isNumber }: TellingSegment, attribute: string, value: string): ClauseValue[] {
  const number = Number.parseFloat(value)
  if (isNumber(attribute) && Number.isFinite(number)) return [number]
  const truth = value.toLowerCase()
  return [
    value,
    ...(Number.isFinite(number) ? [number] : []),
    ...(truth === 'true' || truth === 'false' ? [truth === 'true'] : []),
  ]
}

function listTest(telling: TellingSegment, attribute: string, texts: readonly string[]): Condition {
  if (texts.some(({ length }) => length > longestValue)) return tooLong(telling, 'IN')
  return test(attribute, 'in', ...texts.flatMap((text) => listedValues(telling, attribute, text)))
}

/** A number is in a list when its text is; 0, booleans and the empty text never are. */
function listedValues({ isNumber }: TellingSegment, attribute: string, text: string): ClauseValue[] {
  const number = Number(text)
  if (text === '') return []
  if (!Number.isFinite(number) || String(number) !== text) return [text]
  return [...(isNumber(attribute) ? [] : [text]), ...(number === 0 ? [] : [number])]
}

/** A list is written with commas, or as JSON. */
function listOf(value: FlagsmithCondition['value']): readonly string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value
  try {
    const parsed: unknown = JSON.parse(String(value))
    if (Array.isArray(parsed)) return parsed.filter((one) => typeof one === 'string')
  } catch {
    // The value is separated by commas.
  }
  return String(value).split(',')
}

function shareOf(telling: TellingSegment, property: string, value: FlagsmithCondition['value']): Condition {
  const percentage = Number.parseFloat(String(value))
  if (!(percentage >= 0)) return never
  const byKey = ['', '$.identity.key', '$.identity.identifier'].includes(property)
  // Here a trait must be given as a path; any other name never matches.
  if (!byKey && !property.startsWith('$.')) return never
  const bucketBy = byKey ? undefined : attributeOf(property)
  if (!byKey && bucketBy === undefined) {
    return leaveOut(telling, `PERCENTAGE_SPLIT by ${property}`, 'it is not an attribute of a context', 'split by the key')
  }
  const weight = Math.min(100_000, Math.round(percentage * 1000))
  const share = { weight, contextKind: 'user', name: `segment ${telling.name}` }
  if (bucketBy === undefined) return { kind: 'share', share }
  return all(isThereAndTrue(bucketBy), { kind: 'share', share: { ...share, bucketBy } })
}

function tooLong(telling: TellingSegment, operator: string): Condition {
  const why = `values of clauses have at most ${longestValue} characters`
  return leaveOut(telling, `${operator} with a long text`, why, 'compare with a shorter text')
}
