import {
  attributeReference,
  compareAttribute,
  compareNumber,
  compareVersion,
  fullVersion,
} from '../conditions/attribute-tests.ts'
import type { ClauseValue } from '../conditions/clause.ts'
import { all, always, any, type Condition, clauseCondition, never, not } from '../conditions/condition.ts'
import { isDefined, isDefinedAndTruthy } from '../conditions/presence.ts'
import {
  anyCharacter,
  insideNegation,
  isSearchable,
  maxValueLength,
  omitCondition,
  plainVersion,
  type Translation,
} from '../conditions/translation.ts'
import type { FlagsmithCondition, FlagsmithRule } from './document.ts'

/** State of the translation of a segment's conditions. */
export interface SegmentTranslation extends Translation {
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
export function conditionOfRules(translation: SegmentTranslation, rules: readonly FlagsmithRule[]): Condition {
  return rules.length === 0 ? never : all(...rules.map((rule) => conditionOfRule(translation, rule)))
}

/** Returns the traits that rules compare as numbers. */
export function numbersIn(rules: readonly FlagsmithRule[]): string[] {
  return rules.flatMap((rule) => [
    ...(rule.conditions ?? []).filter(comparesNumber).map(({ property_, property }) => property_ ?? property ?? ''),
    ...numbersIn(rule.rules ?? []),
  ])
}

function comparesNumber({ operator, value }: FlagsmithCondition): boolean {
  return (
    operator === 'MODULO' || (operator in comparisonSigns && typeof value === 'string' && !value.endsWith(':semver'))
  )
}

/** Translates a rule. The type of the rule combines its conditions and, separately, its nested rules. */
function conditionOfRule(translation: SegmentTranslation, { type, conditions, rules }: FlagsmithRule): Condition {
  const inner = type === 'NONE' ? { ...translation, ...insideNegation(translation) } : translation
  const ownConditions = (conditions ?? []).map((item) => conditionOf(inner, item))
  const nested = (rules ?? []).map((item) => conditionOfRule(inner, item))
  return all(combineConditions(type, ownConditions), combineConditions(type, nested))
}

function combineConditions(type: FlagsmithRule['type'], parts: readonly Condition[]): Condition {
  if (parts.length === 0) return always
  if (type === 'ANY') return any(...parts)
  return type === 'ALL' ? all(...parts) : all(...parts.map(not))
}

function conditionOf(translation: SegmentTranslation, condition: FlagsmithCondition): Condition {
  const { operator, value } = condition
  const property = condition.property_ ?? condition.property ?? ''
  if (operator === 'PERCENTAGE_SPLIT') return shareOf(translation, property, value)
  if (property === '') return never
  const attribute = attributeOf(property)
  if (attribute === undefined) {
    const why = 'a context attribute cannot have this name'
    return omitCondition(translation, {
      what: `a condition on ${property}`,
      why,
      instead: 'send it under another name',
    })
  }
  if (operator === 'IS_SET') return attribute === 'key' ? always : isDefined(attribute)
  if (operator === 'IS_NOT_SET') return attribute === 'key' ? never : not(isDefined(attribute))
  if (operator === 'IN') return listTest(translation, attribute, listOf(value))
  if (value === null || value === undefined || Array.isArray(value)) return never
  return comparison(translation, { operator, attribute, value: String(value) })
}

/** Returns the reference of a trait, or of the identifier, which is the key of a context. */
function attributeOf(property: string): string | undefined {
  if (property === '$.identity.identifier') return 'key'
  const trait = /^\$\.identity\.traits\.([A-Za-z_]\w*)$/.exec(property)?.[1]
  if (trait !== undefined) return attributeReference(trait)
  return property.startsWith('$.') ? undefined : attributeReference(property)
}

/** A comparison of an attribute with a value. */
interface AttributeComparison {
  readonly operator: string
  readonly attribute: string
  readonly value: string
}

function comparison(translation: SegmentTranslation, { operator, attribute, value }: AttributeComparison): Condition {
  if (value.length > maxValueLength) return tooLong(translation, operator)
  const asVersion = value.endsWith(':semver')
    ? versionTest(translation, { operator, attribute, value: value.replace(':semver', '') })
    : undefined
  if (asVersion) return asVersion
  switch (operator) {
    case 'EQUAL':
      return compareAttribute(attribute, 'in', ...equalValues(translation, attribute, value))
    case 'NOT_EQUAL':
      return negateIfPresent(compareAttribute(attribute, 'in', ...equalValues(translation, attribute, value)))
    case 'CONTAINS':
      return value === ''
        ? compareAttribute(attribute, 'matches', anyCharacter)
        : compareAttribute(attribute, 'contains', value)
    case 'NOT_CONTAINS':
      // The condition holds only for attributes that are texts.
      return value === ''
        ? never
        : all(
            compareAttribute(attribute, 'startsWith', ''),
            negateIfPresent(compareAttribute(attribute, 'contains', value)),
          )
    case 'REGEX':
      return patternTest(translation, attribute, value)
    case 'GREATER_THAN':
    case 'GREATER_THAN_INCLUSIVE':
    case 'LESS_THAN':
    case 'LESS_THAN_INCLUSIVE':
      return numberTest(translation, operator, attribute, value)
    default:
      return omitCondition(translation, {
        what: `a condition ${operator}`,
        why: 'clauses cannot express this',
        instead: 'compute the result in your code and send it as an attribute',
      })
  }
}

/** Returns a negation that a missing trait does not match. */
function negateIfPresent(item: Condition): Condition {
  return item.kind === 'clause' ? clauseCondition({ ...item.clause, negate: true }) : not(item)
}

const comparisonSigns = {
  GREATER_THAN: '>',
  GREATER_THAN_INCLUSIVE: '>=',
  LESS_THAN: '<',
  LESS_THAN_INCLUSIVE: '<=',
} as const

function numberTest(
  translation: SegmentTranslation,
  operator: keyof typeof comparisonSigns,
  attribute: string,
  value: string,
): Condition {
  const bound = Number(value)
  if (value.trim() !== '' && Number.isFinite(bound)) return compareNumber(attribute, comparisonSigns[operator], bound)
  return omitCondition(translation, {
    what: `${operator} "${value}"`,
    why: 'clauses cannot compare the order of texts',
    instead: 'list the texts',
  })
}

const versionSigns: Readonly<Record<string, '>' | '>=' | '<' | '<=' | '='>> = { ...comparisonSigns, EQUAL: '=' }

/** Translates a comparison whose value ends with `:semver`. Returns undefined when the operator ignores the ending. */
function versionTest(
  translation: SegmentTranslation,
  { operator, attribute, value }: AttributeComparison,
): Condition | undefined {
  if (operator === 'NOT_EQUAL') return negateIfPresent(compareAttribute(attribute, 'in', value))
  if (operator === 'CONTAINS') return compareAttribute(attribute, 'contains', value)
  const sign = versionSigns[operator]
  if (sign === undefined) return undefined
  const version = plainVersion(value)
  if (version !== undefined) return compareVersion(attribute, { comparison: sign, bound: version, form: fullVersion })
  return omitCondition(translation, {
    what: `${operator} "${value}:semver"`,
    why: 'the text is not a version of three numbers',
    instead: 'write the version with all three numbers',
  })
}

function patternTest(translation: SegmentTranslation, attribute: string, source: string): Condition {
  if (source === '' || !isPattern(source)) return never
  if (isSearchable(source)) return compareAttribute(attribute, 'matches', source)
  const why = 'lookarounds and backreferences cannot be searched in long texts'
  return omitCondition(translation, { what: `REGEX "${source}"`, why, instead: 'write a pattern without them' })
}

function isPattern(source: string): boolean {
  try {
    return Boolean(new RegExp(source))
  } catch {
    return false
  }
}

/** Returns the values of a trait that equal a value written as text. */
function equalValues({ isNumber }: SegmentTranslation, attribute: string, value: string): ClauseValue[] {
  const number = Number.parseFloat(value)
  if (isNumber(attribute) && Number.isFinite(number)) return [number]
  const lowerCase = value.toLowerCase()
  return [
    value,
    ...(Number.isFinite(number) ? [number] : []),
    ...(lowerCase === 'true' || lowerCase === 'false' ? [lowerCase === 'true'] : []),
  ]
}

function listTest(translation: SegmentTranslation, attribute: string, texts: readonly string[]): Condition {
  if (texts.some(({ length }) => length > maxValueLength)) return tooLong(translation, 'IN')
  return compareAttribute(attribute, 'in', ...texts.flatMap((text) => listedValues(translation, attribute, text)))
}

/**
 * Returns the values of a clause for one text of a list. In Flagsmith a number is in a list if its text is in the list,
 * and 0, booleans and the empty text are never in a list.
 */
function listedValues({ isNumber }: SegmentTranslation, attribute: string, text: string): ClauseValue[] {
  const number = Number(text)
  if (text === '') return []
  if (!Number.isFinite(number) || String(number) !== text) return [text]
  return [...(isNumber(attribute) ? [] : [text]), ...(number === 0 ? [] : [number])]
}

/** Reads a list of strings from a condition's value. Flagsmith writes such a list as JSON or separated by commas. */
function listOf(value: FlagsmithCondition['value']): readonly string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value
  try {
    const parsed: unknown = JSON.parse(String(value))
    if (Array.isArray(parsed)) return parsed.filter((item) => typeof item === 'string')
  } catch {
    // The text is not JSON, so its items are separated by commas.
  }
  return String(value).split(',')
}

function shareOf(translation: SegmentTranslation, property: string, value: FlagsmithCondition['value']): Condition {
  const percentage = Number.parseFloat(String(value))
  if (!(percentage >= 0)) return never
  const byKey = ['', '$.identity.key', '$.identity.identifier'].includes(property)
  // For this operator a trait must be given as a path. A trait that is given by its name alone never matches.
  if (!byKey && !property.startsWith('$.')) return never
  const bucketBy = byKey ? undefined : attributeOf(property)
  if (!byKey && bucketBy === undefined) {
    return omitCondition(translation, {
      what: `PERCENTAGE_SPLIT by ${property}`,
      why: 'it is not an attribute of a context',
      instead: 'split by the key',
    })
  }
  const weight = Math.min(100_000, Math.round(percentage * 1000))
  const share = { weight, contextKind: 'user', name: `segment ${translation.name}` }
  if (bucketBy === undefined) return { kind: 'share', share }
  return all(isDefinedAndTruthy(bucketBy), { kind: 'share', share: { ...share, bucketBy } })
}

function tooLong(translation: SegmentTranslation, operator: string): Condition {
  const why = `values of clauses have at most ${maxValueLength} characters`
  return omitCondition(translation, {
    what: `${operator} with a long text`,
    why,
    instead: 'compare with a shorter text',
  })
}
