import { type Comparison, compareNumber, compareVersion, fullVersion, test } from '../conditions/attribute-tests.ts'
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

/** Returns the condition of an operator on an attribute. */
export function operatorTest(
  translation: Translation,
  attribute: string,
  operator: string,
  expected: unknown,
): Condition {
  const numberSign = numberSigns[operator]
  if (numberSign) return boundTest(translation, attribute, operator, numberSign, expected)
  const versionSign = versionSigns[operator]
  if (versionSign) return versionTest(translation, attribute, operator, versionSign, expected)
  switch (operator) {
    case '$eq':
      return oneOf(translation, attribute, [expected])
    case '$ne':
      return not(oneOf(insideNegation(translation), attribute, [expected]))
    case '$in':
      return Array.isArray(expected) ? oneOf(translation, attribute, expected) : never
    case '$nin':
      return Array.isArray(expected) ? not(oneOf(insideNegation(translation), attribute, expected)) : never
    case '$ini':
      return Array.isArray(expected) ? anyCaseOf(translation, attribute, expected) : never
    case '$nini':
      return Array.isArray(expected) ? not(anyCaseOf(insideNegation(translation), attribute, expected)) : never
    case '$exists':
      return expected ? isPresent(attribute) : not(isPresent(attribute))
    case '$regex':
      return patternTest(translation, attribute, expected)
    case '$all':
      return allOf(translation, attribute, expected)
    case '$elemMatch':
      return elementTest(translation, attribute, expected)
    case '$type':
      return typeTest(translation, attribute, expected)
    default:
      return omitCondition(
        translation,
        `operator ${operator}`,
        'clauses cannot express this',
        'compute the result in your code and send it as an attribute',
      )
  }
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
function oneOf(translation: Translation, attribute: string, values: readonly unknown[]): Condition {
  const plain = values.filter(isPlain)
  if (plain.some((value) => typeof value === 'string' && value.length > maxValueLength)) {
    return omitCondition(
      translation,
      'a long text',
      `values have at most ${maxValueLength} characters`,
      'compare with a shorter text',
    )
  }
  return any(test(attribute, 'in', ...plain), ...(values.includes(null) ? [not(isPresent(attribute))] : []))
}

function isPlain(value: unknown): value is ClauseValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function anyCaseOf(translation: Translation, attribute: string, values: readonly unknown[]): Condition {
  const texts = values.filter((value) => typeof value === 'string')
  const patterns = texts.map((text) => anyCasePattern(text.toLowerCase(), 'start'))
  if (patterns.includes(undefined)) {
    return omitCondition(
      translation,
      'a case-insensitive comparison with a long text',
      'its pattern is too long for a clause',
      'send the attribute in lower case and compare it with case',
    )
  }
  const others = values.filter((value) => typeof value !== 'string')
  return any(
    test(attribute, 'matches', ...patterns.map((pattern) => `${pattern}$`)),
    oneOf(translation, attribute, others),
  )
}

/** Translates `$gt`, `$gte`, `$lt` and `$lte`. A missing attribute counts as 0. */
function boundTest(
  translation: Translation,
  attribute: string,
  operator: string,
  sign: Comparison,
  bound: unknown,
): Condition {
  if (typeof bound !== 'number') {
    const what = `${operator} ${JSON.stringify(bound)}`
    return omitCondition(
      translation,
      what,
      'clauses cannot compare the order of texts',
      'compare numbers, dates or versions',
    )
  }
  const zeroMatches = { '>': 0 > bound, '>=': 0 >= bound, '<': 0 < bound, '<=': 0 <= bound }[sign as '>']
  return any(compareNumber(attribute, sign, bound), ...(zeroMatches ? [not(isPresent(attribute))] : []))
}

/** Translates a comparison of versions. A missing attribute is less than every version. */
function versionTest(
  translation: Translation,
  attribute: string,
  operator: string,
  sign: Comparison,
  expected: unknown,
): Condition {
  const version = typeof expected === 'string' ? plainVersion(expected) : undefined
  if (version === undefined) {
    const what = `${operator} ${JSON.stringify(expected)}`
    return omitCondition(
      translation,
      what,
      'the text is not a version of three numbers',
      'write the version with all three numbers',
    )
  }
  const why = 'GrowthBook compares texts that are not versions of three numbers as texts; in Halyard they match nothing'
  noteDifference(translation, 'a comparison of versions', why, 'the same for versions of three numbers')
  if (sign === '!=') return not(compareVersion(attribute, '=', version, fullVersion))
  const missingMatches = sign === '<' || sign === '<='
  return any(
    compareVersion(attribute, sign, version, fullVersion),
    ...(missingMatches ? [not(isPresent(attribute))] : []),
  )
}

/** Translates a regular expression. GrowthBook tests it against the string `null` when the attribute is missing. */
function patternTest(translation: Translation, attribute: string, source: unknown): Condition {
  const pattern = typeof source === 'string' ? patternOf(source) : undefined
  if (typeof source !== 'string' || pattern === undefined) return never
  if (!isSearchable(source)) {
    const why = 'lookarounds and backreferences cannot be searched in long texts'
    return omitCondition(translation, `$regex ${source}`, why, 'write a pattern without them')
  }
  return any(test(attribute, 'matches', source), ...(pattern.test('null') ? [not(isPresent(attribute))] : []))
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
  string: (attribute) => test(attribute, 'startsWith', ''),
  number: (attribute) => test(attribute, 'lessThanOrEqual', Number.MAX_VALUE),
  boolean: (attribute) => test(attribute, 'in', true, false),
}

function typeTest(translation: Translation, attribute: string, type: unknown): Condition {
  const typeCondition = types[String(type)]
  return typeCondition
    ? typeCondition(attribute)
    : omitCondition(translation, `$type ${type}`, 'clauses cannot test for this type', 'compare their content')
}

/** Tests whether the list contains each of the values. */
function allOf(translation: Translation, attribute: string, values: unknown): Condition {
  if (!Array.isArray(values)) return never
  if (!values.every(isPlain))
    return omitCondition(translation, '$all of conditions', 'clauses cannot express this', 'list the values')
  noteListDifference(translation, '$all')
  return all(isPresent(attribute), ...values.map((value) => test(attribute, 'in', ...equalSpellings(value))))
}

/** Returns a value, and the value of another type that is written in the same way, which an element may equal. */
function equalSpellings(value: ClauseValue): ClauseValue[] {
  if (typeof value === 'string') return String(Number(value)) === value ? [value, Number(value)] : [value]
  return typeof value === 'number' ? [value, String(value)] : [value]
}

const elementOperators: ReadonlySet<string> = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte', '$veq'])

function elementTest(translation: Translation, attribute: string, expected: unknown): Condition {
  const [only, ...others] = Object.entries((expected ?? {}) as object)
  if (!only || others.length > 0 || !elementOperators.has(only[0])) {
    return omitCondition(
      translation,
      '$elemMatch with anything but one comparison',
      'clauses cannot look into lists of objects',
      'list the values',
    )
  }
  noteListDifference(translation, '$elemMatch')
  return all(isPresent(attribute), operatorTest(translation, attribute, ...only))
}

function noteListDifference(translation: Translation, what: string): void {
  const why = 'clauses treat an attribute that is not a list as a list of one'
  noteDifference(translation, what, why, 'the same for lists')
}
