import { type Comparison, compareNumber, compareVersion, fullVersion, test } from '../conditions/attribute-tests.ts'
import type { ClauseValue } from '../conditions/clause.ts'
import { all, always, any, type Condition, never, not } from '../conditions/condition.ts'
import { isThere } from '../conditions/is-there.ts'
import { anyCasePattern } from '../conditions/text-pattern.ts'
import { isSearchable, leaveOut, longestValue, note, plainVersion, type Telling, within } from '../conditions/told.ts'

/** Returns the condition of an operator on an attribute. */
export function operatorTest(telling: Telling, attribute: string, operator: string, expected: unknown): Condition {
  const numberSign = numberSigns[operator]
  if (numberSign) return boundTest(telling, attribute, operator, numberSign, expected)
  const versionSign = versionSigns[operator]
  if (versionSign) return versionTest(telling, attribute, operator, versionSign, expected)
  switch (operator) {
    case '$eq':
      return oneOf(telling, attribute, [expected])
    case '$ne':
      return not(oneOf(within(telling), attribute, [expected]))
    case '$in':
      return Array.isArray(expected) ? oneOf(telling, attribute, expected) : never
    case '$nin':
      return Array.isArray(expected) ? not(oneOf(within(telling), attribute, expected)) : never
    case '$ini':
      return Array.isArray(expected) ? anyCaseOf(telling, attribute, expected) : never
    case '$nini':
      return Array.isArray(expected) ? not(anyCaseOf(within(telling), attribute, expected)) : never
    case '$exists':
      return expected ? there(attribute) : not(there(attribute))
    case '$regex':
      return patternTest(telling, attribute, expected)
    case '$all':
      return allOf(telling, attribute, expected)
    case '$elemMatch':
      return elementTest(telling, attribute, expected)
    case '$type':
      return typeTest(telling, attribute, expected)
    default:
      return leaveOut(telling, `operator ${operator}`, 'clauses cannot express this', 'compute the result in your code and send it as an attribute')
  }
}

const numberSigns: Readonly<Record<string, Comparison>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }
const versionSigns: Readonly<Record<string, Comparison>> = {
  ...{ $veq: '=', $vne: '!=', $vgt: '>', $vgte: '>=', $vlt: '<', $vlte: '<=' },
}

/** Keys are never missing. */
function there(attribute: string): Condition {
  return attribute === 'key' ? always : isThere(attribute)
}

/** Values must have the same type; of a list, one element is enough. */
function oneOf(telling: Telling, attribute: string, values: readonly unknown[]): Condition {
  const plain = values.filter(isPlain)
  if (plain.some((value) => typeof value === 'string' && value.length > longestValue)) {
    return leaveOut(telling, 'a long text', `values have at most ${longestValue} characters`, 'compare with a shorter text')
  }
  return any(test(attribute, 'in', ...plain), ...(values.includes(null) ? [not(there(attribute))] : []))
}

function isPlain(value: unknown): value is ClauseValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function anyCaseOf(telling: Telling, attribute: string, values: readonly unknown[]): Condition {
  const texts = values.filter((value) => typeof value === 'string')
  const patterns = texts.map((text) => anyCasePattern(text.toLowerCase(), 'start'))
  if (patterns.includes(undefined)) {
    return leaveOut(telling, 'a long text in any case', 'its pattern is too long for a clause', 'send it in lower case')
  }
  const others = values.filter((value) => typeof value !== 'string')
  return any(test(attribute, 'matches', ...patterns.map((one) => `${one}$`)), oneOf(telling, attribute, others))
}

/** A missing attribute counts as 0. */
function boundTest(telling: Telling, attribute: string, operator: string, sign: Comparison, bound: unknown): Condition {
  if (typeof bound !== 'number') {
    const what = `${operator} ${JSON.stringify(bound)}`
    return leaveOut(telling, what, 'clauses cannot compare the order of texts', 'compare numbers, dates or versions')
  }
  const zero = { '>': 0 > bound, '>=': 0 >= bound, '<': 0 < bound, '<=': 0 <= bound }[sign as '>']
  return any(compareNumber(attribute, sign, bound), ...(zero ? [not(there(attribute))] : []))
}

/** A missing attribute is less than every version. */
function versionTest(
  telling: Telling,
  attribute: string,
  operator: string,
  sign: Comparison,
  expected: unknown,
): Condition {
  const version = typeof expected === 'string' ? plainVersion(expected) : undefined
  if (version === undefined) {
    const what = `${operator} ${JSON.stringify(expected)}`
    return leaveOut(telling, what, 'the text is not a version of three numbers', 'write the version with all three numbers')
  }
  const why = 'texts that are not versions of three numbers are compared as texts there, and match nothing here'
  note(telling, 'a comparison of versions', why, 'the same for versions of three numbers')
  if (sign === '!=') return not(compareVersion(attribute, '=', version, fullVersion))
  const before = sign === '<' || sign === '<='
  return any(compareVersion(attribute, sign, version, fullVersion), ...(before ? [not(there(attribute))] : []))
}

/** A pattern is searched in the text `null` when the attribute is missing. */
function patternTest(telling: Telling, attribute: string, source: unknown): Condition {
  const pattern = typeof source === 'string' ? patternOf(source) : undefined
  if (typeof source !== 'string' || pattern === undefined) return never
  if (!isSearchable(source)) {
    const why = 'lookarounds and backreferences cannot be searched in long texts'
    return leaveOut(telling, `$regex ${source}`, why, 'write a pattern without them')
  }
  return any(test(attribute, 'matches', source), ...(pattern.test('null') ? [not(there(attribute))] : []))
}

function patternOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source)
  } catch {
    return undefined
  }
}

const types: Readonly<Record<string, (attribute: string) => Condition>> = {
  null: (attribute) => not(there(attribute)),
  string: (attribute) => test(attribute, 'startsWith', ''),
  number: (attribute) => test(attribute, 'lessThanOrEqual', Number.MAX_VALUE),
  boolean: (attribute) => test(attribute, 'in', true, false),
}

function typeTest(telling: Telling, attribute: string, type: unknown): Condition {
  const told = types[String(type)]
  return told ? told(attribute) : leaveOut(telling, `$type ${type}`, 'clauses cannot test for this type', 'compare their content')
}

/** Tests whether the list contains each of the values. */
function allOf(telling: Telling, attribute: string, values: unknown): Condition {
  if (!Array.isArray(values)) return never
  if (!values.every(isPlain)) return leaveOut(telling, '$all of conditions', 'clauses cannot express this', 'list the values')
  noteLists(telling, '$all')
  return all(there(attribute), ...values.map((value) => test(attribute, 'in', ...written(value))))
}

/** Returns the values that an element equals when it is written in the same way. */
function written(value: ClauseValue): ClauseValue[] {
  if (typeof value === 'string') return String(Number(value)) === value ? [value, Number(value)] : [value]
  return typeof value === 'number' ? [value, String(value)] : [value]
}

const elementOperators: ReadonlySet<string> = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte', '$veq'])

function elementTest(telling: Telling, attribute: string, expected: unknown): Condition {
  const [only, ...others] = Object.entries((expected ?? {}) as object)
  if (!only || others.length > 0 || !elementOperators.has(only[0])) {
    return leaveOut(
      telling,
      '$elemMatch of more than a comparison',
      'clauses cannot look into lists of objects',
      'list the values',
    )
  }
  noteLists(telling, '$elemMatch')
  return all(there(attribute), operatorTest(telling, attribute, ...only))
}

function noteLists(telling: Telling, what: string): void {
  const why = 'clauses treat an attribute that is not a list as a list of one'
  note(telling, what, why, 'the same for lists')
}
