import {
  type Comparison,
  compareAttribute,
  compareNumber,
  compareVersion,
  fullVersion,
} from '../conditions/attribute-tests.ts'
import type { ClauseValue } from '../conditions/clause.ts'
import { all, always, any, type Condition, never, not } from '../conditions/condition.ts'
import { isDefined } from '../conditions/presence.ts'
import { anyCasePattern } from '../conditions/text-pattern.ts'
import {
  insideNegation,
  isSearchable,
  maxValueLength,
  noteDifference,
  omitCondition,
  plainVersion,
  type Translation,
} from '../conditions/translation.ts'

/** The translation of a condition on an attribute. */
export interface AttributeTranslation<T extends Translation = Translation> {
  readonly translation: T
  readonly attribute: string
}

/** Returns the condition of an operator on an attribute. */
export function operatorTest(target: AttributeTranslation, operator: string, expected: unknown): Condition {
  const { translation, attribute } = target
  const numberSign = numberSigns[operator]
  if (numberSign) return boundTest(target, { operator, sign: numberSign }, expected)
  const versionSign = versionSigns[operator]
  if (versionSign) return versionTest(target, { operator, sign: versionSign }, expected)
  switch (operator) {
    case '$eq':
      return oneOf(target, [expected])
    case '$ne':
      return not(oneOf(negated(target), [expected]))
    case '$in':
      return Array.isArray(expected) ? oneOf(target, expected) : never
    case '$nin':
      return Array.isArray(expected) ? not(oneOf(negated(target), expected)) : never
    case '$ini':
      return Array.isArray(expected) ? anyCaseOf(target, expected) : never
    case '$nini':
      return Array.isArray(expected) ? not(anyCaseOf(negated(target), expected)) : never
    case '$exists':
      return expected ? isPresent(attribute) : not(isPresent(attribute))
    case '$regex':
      return patternTest(target, expected)
    case '$all':
      return allOf(target, expected)
    case '$elemMatch':
      return elementTest(target, expected)
    case '$type':
      return typeTest(target, expected)
    default:
      return omitCondition(translation, {
        what: `operator ${operator}`,
        why: 'clauses cannot express this',
        instead: 'compute the result in your code and send it as an attribute',
      })
  }
}

/** Returns the translation of a condition inside a negation. */
export function negated<T extends Translation>({
  translation,
  attribute,
}: AttributeTranslation<T>): AttributeTranslation<T> {
  return { translation: insideNegation(translation), attribute }
}

const numberSigns: Readonly<Record<string, Comparison>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }
const versionSigns: Readonly<Record<string, Comparison>> = {
  ...{ $veq: '=', $vne: '!=', $vgt: '>', $vgte: '>=', $vlt: '<', $vlte: '<=' },
}

/** Returns the condition that an attribute is present; a key is always present. */
function isPresent(attribute: string): Condition {
  return attribute === 'key' ? always : isDefined(attribute)
}

/** Values must have the same type. For a list, one equal element is enough. */
function oneOf({ translation, attribute }: AttributeTranslation, values: readonly unknown[]): Condition {
  const plain = values.filter(isPlain)
  if (plain.some((value) => typeof value === 'string' && value.length > maxValueLength)) {
    return omitCondition(translation, {
      what: 'a long text',
      why: `values have at most ${maxValueLength} characters`,
      instead: 'compare with a shorter text',
    })
  }
  return any(compareAttribute(attribute, 'in', ...plain), ...(values.includes(null) ? [not(isPresent(attribute))] : []))
}

function isPlain(value: unknown): value is ClauseValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function anyCaseOf(target: AttributeTranslation, values: readonly unknown[]): Condition {
  const { translation, attribute } = target
  const texts = values.filter((value) => typeof value === 'string')
  const patterns = texts.map((text) => anyCasePattern(text.toLowerCase(), 'start'))
  if (patterns.includes(undefined)) {
    return omitCondition(translation, {
      what: 'a case-insensitive comparison with a long text',
      why: 'its pattern is too long for a clause',
      instead: 'send the attribute in lower case and compare it with case',
    })
  }
  const others = values.filter((value) => typeof value !== 'string')
  return any(compareAttribute(attribute, 'matches', ...patterns.map((pattern) => `${pattern}$`)), oneOf(target, others))
}

/** An operator, and the comparison that it makes. */
interface SignedOperator {
  readonly operator: string
  readonly sign: Comparison
}

/** Translates `$gt`, `$gte`, `$lt` and `$lte`. A missing attribute counts as 0. */
function boundTest(
  { translation, attribute }: AttributeTranslation,
  { operator, sign }: SignedOperator,
  bound: unknown,
): Condition {
  if (typeof bound !== 'number') {
    const what = `${operator} ${JSON.stringify(bound)}`
    return omitCondition(translation, {
      what,
      why: 'clauses cannot compare the order of texts',
      instead: 'compare numbers, dates or versions',
    })
  }
  const zeroMatches = { '>': 0 > bound, '>=': 0 >= bound, '<': 0 < bound, '<=': 0 <= bound }[sign as '>']
  return any(compareNumber(attribute, sign, bound), ...(zeroMatches ? [not(isPresent(attribute))] : []))
}

/** Translates a comparison of versions. A missing attribute is less than every version. */
function versionTest(
  { translation, attribute }: AttributeTranslation,
  { operator, sign }: SignedOperator,
  expected: unknown,
): Condition {
  const version = typeof expected === 'string' ? plainVersion(expected) : undefined
  if (version === undefined) {
    const what = `${operator} ${JSON.stringify(expected)}`
    return omitCondition(translation, {
      what,
      why: 'the text is not a version of three numbers',
      instead: 'write the version with all three numbers',
    })
  }
  const why = 'GrowthBook compares texts that are not versions of three numbers as texts; in Halyard they match nothing'
  noteDifference(translation, {
    what: 'a comparison of versions',
    why,
    instead: 'the same for versions of three numbers',
  })
  if (sign === '!=') return not(compareVersion(attribute, { comparison: '=', bound: version, form: fullVersion }))
  const missingMatches = sign === '<' || sign === '<='
  return any(
    compareVersion(attribute, { comparison: sign, bound: version, form: fullVersion }),
    ...(missingMatches ? [not(isPresent(attribute))] : []),
  )
}

/** Translates a regular expression. GrowthBook tests it against the string `null` when the attribute is missing. */
function patternTest({ translation, attribute }: AttributeTranslation, source: unknown): Condition {
  const pattern = typeof source === 'string' ? patternOf(source) : undefined
  if (typeof source !== 'string' || pattern === undefined) return never
  if (!isSearchable(source)) {
    const why = 'lookarounds and backreferences cannot be searched in long texts'
    return omitCondition(translation, { what: `$regex ${source}`, why, instead: 'write a pattern without them' })
  }
  return any(
    compareAttribute(attribute, 'matches', source),
    ...(pattern.test('null') ? [not(isPresent(attribute))] : []),
  )
}

function patternOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source)
  } catch {
    return undefined
  }
}

const types: Readonly<Record<string, (attribute: string) => Condition>> = {
  null: (attribute) => not(isPresent(attribute)),
  string: (attribute) => compareAttribute(attribute, 'startsWith', ''),
  number: (attribute) => compareAttribute(attribute, 'lessThanOrEqual', Number.MAX_VALUE),
  boolean: (attribute) => compareAttribute(attribute, 'in', true, false),
}

function typeTest({ translation, attribute }: AttributeTranslation, type: unknown): Condition {
  const typeCondition = types[String(type)]
  return typeCondition
    ? typeCondition(attribute)
    : omitCondition(translation, {
        what: `$type ${type}`,
        why: 'clauses cannot test for this type',
        instead: 'compare their content',
      })
}

/** Tests whether the list contains each of the values. */
function allOf({ translation, attribute }: AttributeTranslation, values: unknown): Condition {
  if (!Array.isArray(values)) return never
  if (!values.every(isPlain))
    return omitCondition(translation, {
      what: '$all of conditions',
      why: 'clauses cannot express this',
      instead: 'list the values',
    })
  noteListDifference(translation, '$all')
  return all(
    isPresent(attribute),
    ...values.map((value) => compareAttribute(attribute, 'in', ...equalSpellings(value))),
  )
}

/** Returns a value, and the value of another type that is written in the same way, which an element may equal. */
function equalSpellings(value: ClauseValue): ClauseValue[] {
  if (typeof value === 'string') return String(Number(value)) === value ? [value, Number(value)] : [value]
  return typeof value === 'number' ? [value, String(value)] : [value]
}

const elementOperators: ReadonlySet<string> = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte', '$veq'])

function elementTest(target: AttributeTranslation, expected: unknown): Condition {
  const { translation, attribute } = target
  const [only, ...others] = Object.entries((expected ?? {}) as object)
  if (!only || others.length > 0 || !elementOperators.has(only[0])) {
    return omitCondition(translation, {
      what: '$elemMatch with anything but one comparison',
      why: 'clauses cannot look into lists of objects',
      instead: 'list the values',
    })
  }
  noteListDifference(translation, '$elemMatch')
  return all(isPresent(attribute), operatorTest(target, ...only))
}

function noteListDifference(translation: Translation, what: string): void {
  const why = 'clauses treat an attribute that is not a list as a list of one'
  noteDifference(translation, { what, why, instead: 'the same for lists' })
}
