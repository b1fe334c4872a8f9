import {
  type Comparison,
  compareAttribute,
  compareNumber,
  compareVersion,
  isPresent,
  isTruthy,
  shortVersion,
} from '../conditions/attribute-tests.ts'
import { all, always, any, type Condition, never, not } from '../conditions/condition.ts'
import { callOf, type Operand, operandOf } from './json-logic.ts'

/** Callbacks for findings while the logic of a flag is read. */
export interface LogicNotes {
  readonly flagKey: string
  /** Reports why a part cannot be expressed; the innermost condition around it is then undefined. */
  readonly unsupported: (why: string) => void
  readonly usesClock: () => void
  readonly advise: (sentence: string) => void
}

type MaybeCondition = Condition | undefined

/**
 * Returns the condition under which an expression of JSONLogic is truthy.
 *
 * A missing attribute compares as 0 with numbers and booleans, and never equals a text.
 *
 * @returns undefined for an expression that rules cannot express.
 */
export function logicCondition(logic: unknown, notes: LogicNotes): MaybeCondition {
  const call = callOf(logic)
  if (!call) return isTrue(logic) ? always : never
  const { op, args } = call
  switch (op) {
    case 'and':
      return args.length === 0 ? never : joinConditions(args, all, notes)
    case 'or':
      return joinConditions(args, any, notes)
    case '!':
    case 'not':
      return mapCondition(logicCondition(args[0], notes), not)
    case '!!':
      return logicCondition(args[0], notes)
    case 'if':
    case '?:':
      return choice(args, notes)
    case 'var':
    case 'val':
      return truthy(logic, notes)
    default:
      return testCondition(op, args, notes)
  }
}

function isTrue(literal: unknown): boolean {
  return Array.isArray(literal) ? literal.length > 0 : Boolean(literal)
}

function mapCondition<T>(condition: MaybeCondition, convert: (condition: Condition) => T): T | undefined {
  return condition === undefined ? undefined : convert(condition)
}

function joinConditions(parts: readonly unknown[], combine: typeof all, notes: LogicNotes): MaybeCondition {
  const conditions = parts.map((part) => logicCondition(part, notes))
  return conditions.every((item) => item !== undefined) ? combine(...conditions) : undefined
}

function choice([condition, then, ...otherwise]: readonly unknown[], notes: LogicNotes): MaybeCondition {
  if (then === undefined) return logicCondition(condition ?? null, notes)
  const [first, second] = [logicCondition(condition, notes), logicCondition(then, notes)]
  const rest = otherwise.length === 0 ? never : choice(otherwise, notes)
  if (!first || !second || !rest) return undefined
  return any(all(first, second), all(not(first), rest))
}

function truthy(logic: unknown, notes: LogicNotes): MaybeCondition {
  const operand = operandIn(logic, notes)
  if (operand?.kind === 'literal') return isTrue(operand.value) ? always : never
  return operand && (operand.always ? always : isTruthy(operand.attribute))
}

function operandIn(logic: unknown, notes: LogicNotes): Operand | undefined {
  const operand = operandOf(logic, notes.flagKey)
  if (!operand) notes.unsupported(`rules cannot compare ${JSON.stringify(logic).slice(0, 80)}`)
  else if (operand.kind === 'attribute' && operand.clock) notes.usesClock()
  return operand
}

const comparisons: Readonly<Record<string, Comparison>> = {
  '==': '=',
  '===': '=',
  '!=': '!=',
  '!==': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}

function testCondition(op: string, args: readonly unknown[], notes: LogicNotes): MaybeCondition {
  const comparison = comparisons[op]
  if (comparison !== undefined) return chainedComparison({ comparison, strict: op.length === 3 }, args, notes)
  if (op === 'in') return membership(args, notes)
  if (op === 'starts_with') return textTest('startsWith', args, notes)
  if (op === 'ends_with') return textTest('endsWith', args, notes)
  if (op === 'sem_ver') return versionTest(args, notes)
  notes.unsupported(`rules have no equivalent of ${op || 'an object'}`)
  return undefined
}

/** A comparison of operands. A strict one does not convert types. */
interface ComparisonOperator {
  readonly comparison: Comparison
  readonly strict: boolean
}

/**
 * Returns the condition that all neighboring operands compare as requested: `1 < x < 10` means `1 < x` and `x < 10`.
 */
function chainedComparison(operator: ComparisonOperator, args: readonly unknown[], notes: LogicNotes): MaybeCondition {
  const operands = args.map((item) => operandIn(item, notes))
  const pairs = operands.slice(1).map((right, index) => {
    const left = operands[index]
    return left && right ? compare(operator, left, right, notes) : undefined
  })
  return pairs.length > 0 && pairs.every((item) => item !== undefined) ? all(...pairs) : undefined
}

const mirrored: Readonly<Record<Comparison, Comparison>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '=': '=',
  '!=': '!=',
}

function compare(operator: ComparisonOperator, left: Operand, right: Operand, notes: LogicNotes): MaybeCondition {
  if (left.kind === 'literal') {
    if (right.kind === 'attribute')
      return compare({ comparison: mirrored[operator.comparison], strict: operator.strict }, right, left, notes)
    return compareLiterals(operator.comparison, left.value, right.value, notes)
  }
  if (right.kind === 'attribute') {
    notes.unsupported('a clause compares an attribute with a value, not with another attribute')
    return undefined
  }
  return compareWith(operator, left, right.value, notes)
}

function compareWith(
  { comparison, strict }: ComparisonOperator,
  { attribute, always: alwaysPresent }: Extract<Operand, { kind: 'attribute' }>,
  value: unknown,
  notes: LogicNotes,
): MaybeCondition {
  if (comparison === '!=')
    return mapCondition(
      compareWith({ comparison: '=', strict }, asAttribute(attribute, alwaysPresent), value, notes),
      not,
    )
  const missing = alwaysPresent ? never : not(isPresent(attribute))
  if (value === null && comparison === '=')
    return strict ? missing : any(missing, compareAttribute(attribute, 'in', 0, false))
  if (typeof value === 'string' && comparison === '=') return compareAttribute(attribute, 'in', value)
  if (typeof value !== 'number' && typeof value !== 'boolean') {
    notes.unsupported('rules cannot compare the order of texts')
    return undefined
  }
  const bound = Number(value)
  if (strict) return comparison === '=' ? compareAttribute(attribute, 'in', value) : undefined
  notes.advise('An attribute that is compared as a number must be sent as a number: "5" does not match.')
  // In flagd, true compares as 1, and false as 0.
  const matchingBooleans = [true, false].filter((item) => compares(Number(item), comparison, bound))
  const comparisonTest = any(
    compareNumber(attribute, comparison, bound),
    compareAttribute(attribute, 'in', ...matchingBooleans),
  )
  return compares(0, comparison, bound) ? any(comparisonTest, missing) : comparisonTest
}

function asAttribute(attribute: string, alwaysPresent: boolean): Extract<Operand, { kind: 'attribute' }> {
  return { kind: 'attribute', attribute, always: alwaysPresent, clock: false }
}

function compares<T extends string | number | boolean>(a: T, comparison: Comparison, b: T): boolean {
  return { '=': a === b, '!=': a !== b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[comparison]
}

function compareLiterals(comparison: Comparison, left: unknown, right: unknown, notes: LogicNotes): MaybeCondition {
  if (typeof left !== typeof right || !['string', 'number', 'boolean'].includes(typeof left)) {
    notes.unsupported('two literals of different types are compared')
    return undefined
  }
  return compares(left as number, comparison, right as number) ? always : never
}

function membership([needle, haystack]: readonly unknown[], notes: LogicNotes): MaybeCondition {
  const [item, list] = [operandIn(needle, notes), operandIn(haystack ?? null, notes)]
  if (!item || !list) return undefined
  if (item.kind === 'attribute' && list.kind === 'literal' && Array.isArray(list.value)) {
    const values = list.value.filter((item) => item !== null)
    const missing = list.value.includes(null) && !item.always ? not(isPresent(item.attribute)) : never
    return any(compareAttribute(item.attribute, 'in', ...values), missing)
  }
  if (item.kind === 'literal' && typeof item.value === 'string' && list.kind === 'attribute') {
    notes.advise(
      'When an attribute is a list, "in" matches when an item contains the text, not when an item equals it.',
    )
    return compareAttribute(list.attribute, 'contains', item.value)
  }
  if (item.kind === 'literal' && list.kind === 'literal' && Array.isArray(list.value)) {
    return list.value.includes(item.value) ? always : never
  }
  notes.unsupported('rules test whether a list contains an attribute, or whether an attribute contains a text')
  return undefined
}

function textTest(op: 'startsWith' | 'endsWith', args: readonly unknown[], notes: LogicNotes): MaybeCondition {
  const [text, part] = [operandIn(args[0] ?? null, notes), operandIn(args[1] ?? null, notes)]
  if (text?.kind === 'attribute' && part?.kind === 'literal') {
    return typeof part.value === 'string' && args.length === 2
      ? compareAttribute(text.attribute, op, part.value)
      : never
  }
  notes.unsupported(`${op} tests whether an attribute begins or ends with a text`)
  return undefined
}

function versionTest([left, op, right]: readonly unknown[], notes: LogicNotes): MaybeCondition {
  const [version, bound] = [operandIn(left ?? null, notes), operandIn(right ?? null, notes)]
  if (version?.kind !== 'attribute' || bound?.kind !== 'literal') {
    notes.unsupported('sem_ver compares an attribute with a version')
    return undefined
  }
  notes.advise('Versions must be sent without a leading "v".')
  const parts = /^[vV]?(\d+)(?:\.(\d+))?(?:$|\.(\d+)([-+].*)?$)/.exec(String(bound.value))
  if (!parts) return never
  const [, major = '0', minor = '0', patch = '0', suffix = ''] = parts
  const compareTo = (comparison: Comparison, text: string) =>
    compareVersion(version.attribute, { comparison, bound: text, form: shortVersion })
  const between = (from: string, to: string) => all(compareTo('>=', from), compareTo('<', to))
  if (op === '^') return between(`${major}.0.0-0`, `${Number(major) + 1}.0.0-0`)
  if (op === '~') return between(`${major}.${minor}.0-0`, `${major}.${Number(minor) + 1}.0-0`)
  const comparison = ['=', '!=', '<', '<=', '>', '>='].find((item) => item === op) as Comparison | undefined
  return comparison === undefined ? never : compareTo(comparison, `${major}.${minor}.${patch}${suffix}`)
}
