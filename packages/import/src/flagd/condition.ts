import {
  type Comparison,
  compareNumber,
  compareVersion,
  isPresent,
  isTruthy,
  shortVersion,
  test,
} from '../conditions/attribute-tests.ts'
import { all, always, any, type Condition, never, not } from '../conditions/condition.ts'
import { callOf, type Operand, operandOf } from './json-logic.ts'

/** Callbacks for findings while the logic of a flag is read. */
export interface LogicNotes {
  readonly flagKey: string
  /** Reports why a part cannot be expressed; the innermost condition around it is then undefined. */
  readonly untold: (why: string) => void
  readonly clock: () => void
  readonly advise: (sentence: string) => void
}

type Told = Condition | undefined

/**
 * Returns the condition under which an expression of JSONLogic is truthy.
 *
 * A missing attribute compares as 0 with numbers and booleans, and never equals a text.
 *
 * @returns undefined for an expression that rules cannot express.
 */
export function logicCondition(logic: unknown, notes: LogicNotes): Told {
  const call = callOf(logic)
  if (!call) return isTrue(logic) ? always : never
  const { op, args } = call
  switch (op) {
    case 'and':
      return args.length === 0 ? never : joined(args, all, notes)
    case 'or':
      return joined(args, any, notes)
    case '!':
    case 'not':
      return mapped(logicCondition(args[0], notes), not)
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

function mapped<T>(told: Told, then: (condition: Condition) => T): T | undefined {
  return told === undefined ? undefined : then(told)
}

function joined(parts: readonly unknown[], join: typeof all, notes: LogicNotes): Told {
  const told = parts.map((part) => logicCondition(part, notes))
  return told.every((one) => one !== undefined) ? join(...told) : undefined
}

function choice([condition, then, ...otherwise]: readonly unknown[], notes: LogicNotes): Told {
  if (then === undefined) return logicCondition(condition ?? null, notes)
  const [first, second] = [logicCondition(condition, notes), logicCondition(then, notes)]
  const rest = otherwise.length === 0 ? never : choice(otherwise, notes)
  if (!first || !second || !rest) return undefined
  return any(all(first, second), all(not(first), rest))
}

function truthy(logic: unknown, notes: LogicNotes): Told {
  const operand = operandIn(logic, notes)
  if (operand?.kind === 'literal') return isTrue(operand.value) ? always : never
  return operand && (operand.always ? always : isTruthy(operand.attribute))
}

function operandIn(logic: unknown, notes: LogicNotes): Operand | undefined {
  const operand = operandOf(logic, notes.flagKey)
  if (!operand) notes.untold(`rules cannot compare ${JSON.stringify(logic).slice(0, 80)}`)
  else if (operand.kind === 'attribute' && operand.clock) notes.clock()
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

function testCondition(op: string, args: readonly unknown[], notes: LogicNotes): Told {
  const comparison = comparisons[op]
  if (comparison !== undefined) return chained(comparison, op.length === 3, args, notes)
  if (op === 'in') return membership(args, notes)
  if (op === 'starts_with') return textTest('startsWith', args, notes)
  if (op === 'ends_with') return textTest('endsWith', args, notes)
  if (op === 'sem_ver') return versionTest(args, notes)
  notes.untold(`rules have no equivalent of ${op || 'an object'}`)
  return undefined
}

/** `1 < x < 10` is the conjunction of both comparisons. */
function chained(comparison: Comparison, strict: boolean, args: readonly unknown[], notes: LogicNotes): Told {
  const operands = args.map((one) => operandIn(one, notes))
  const pairs = operands.slice(1).map((right, at) => {
    const left = operands[at]
    return left && right ? compare(comparison, strict, left, right, notes) : undefined
  })
  return pairs.length > 0 && pairs.every((one) => one !== undefined) ? all(...pairs) : undefined
}

const flipped: Readonly<Record<Comparison, Comparison>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '=': '=',
  '!=': '!=',
}

function compare(comparison: Comparison, strict: boolean, left: Operand, right: Operand, notes: LogicNotes): Told {
  if (left.kind === 'literal') {
    if (right.kind === 'attribute') return compare(flipped[comparison], strict, right, left, notes)
    return compareLiterals(comparison, left.value, right.value, notes)
  }
  if (right.kind === 'attribute') {
    notes.untold('a clause compares an attribute with a value, not with another attribute')
    return undefined
  }
  return compareWith(comparison, strict, left, right.value, notes)
}

function compareWith(
  comparison: Comparison,
  strict: boolean,
  { attribute, always: there }: Extract<Operand, { kind: 'attribute' }>,
  value: unknown,
  notes: LogicNotes,
): Told {
  if (comparison === '!=') return mapped(compareWith('=', strict, asAttribute(attribute, there), value, notes), not)
  const missing = there ? never : not(isPresent(attribute))
  if (value === null && comparison === '=') return strict ? missing : any(missing, test(attribute, 'in', 0, false))
  if (typeof value === 'string' && comparison === '=') return test(attribute, 'in', value)
  if (typeof value !== 'number' && typeof value !== 'boolean') {
    notes.untold('rules cannot compare the order of texts')
    return undefined
  }
  const bound = Number(value)
  if (strict) return comparison === '=' ? test(attribute, 'in', value) : undefined
  notes.advise('An attribute that is compared as a number must be sent as a number: "5" does not match.')
  // True compares as 1 there, and false as 0.
  const same = [true, false].filter((one) => compares(Number(one), comparison, bound))
  const compared = any(compareNumber(attribute, comparison, bound), test(attribute, 'in', ...same))
  return compares(0, comparison, bound) ? any(compared, missing) : compared
}

function asAttribute(attribute: string, there: boolean): Extract<Operand, { kind: 'attribute' }> {
  return { kind: 'attribute', attribute, always: there, clock: false }
}

function compares<T extends string | number | boolean>(a: T, comparison: Comparison, b: T): boolean {
  return { '=': a === b, '!=': a !== b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[comparison]
}

function compareLiterals(comparison: Comparison, left: unknown, right: unknown, notes: LogicNotes): Told {
  if (typeof left !== typeof right || !['string', 'number', 'boolean'].includes(typeof left)) {
    notes.untold('two literals of different types are compared')
    return undefined
  }
  return compares(left as number, comparison, right as number) ? always : never
}

function membership([needle, haystack]: readonly unknown[], notes: LogicNotes): Told {
  const [item, list] = [operandIn(needle, notes), operandIn(haystack ?? null, notes)]
  if (!item || !list) return undefined
  if (item.kind === 'attribute' && list.kind === 'literal' && Array.isArray(list.value)) {
    const values = list.value.filter((one) => one !== null)
    const missing = list.value.includes(null) && !item.always ? not(isPresent(item.attribute)) : never
    return any(test(item.attribute, 'in', ...values), missing)
  }
  if (item.kind === 'literal' && typeof item.value === 'string' && list.kind === 'attribute') {
    notes.advise(
      'When an attribute is a list, "in" matches when an item contains the text, not when an item equals it.',
    )
    return test(list.attribute, 'contains', item.value)
  }
  if (item.kind === 'literal' && list.kind === 'literal' && Array.isArray(list.value)) {
    return list.value.includes(item.value) ? always : never
  }
  notes.untold('rules test whether a list contains an attribute, or whether an attribute contains a text')
  return undefined
}

function textTest(op: 'startsWith' | 'endsWith', args: readonly unknown[], notes: LogicNotes): Told {
  const [text, part] = [operandIn(args[0] ?? null, notes), operandIn(args[1] ?? null, notes)]
  if (text?.kind === 'attribute' && part?.kind === 'literal') {
    return typeof part.value === 'string' && args.length === 2 ? test(text.attribute, op, part.value) : never
  }
  notes.untold(`${op} tests whether an attribute begins or ends with a text`)
  return undefined
}

function versionTest([left, op, right]: readonly unknown[], notes: LogicNotes): Told {
  const [version, bound] = [operandIn(left ?? null, notes), operandIn(right ?? null, notes)]
  if (version?.kind !== 'attribute' || bound?.kind !== 'literal') {
    notes.untold('sem_ver compares an attribute with a version')
    return undefined
  }
  notes.advise('Versions must be sent without a leading "v".')
  const parts = /^[vV]?(\d+)(?:\.(\d+))?(?:$|\.(\d+)([-+].*)?$)/.exec(String(bound.value))
  if (!parts) return never
  const [, major = '0', minor = '0', patch = '0', more = ''] = parts
  const compareTo = (comparison: Comparison, text: string) =>
    compareVersion(version.attribute, comparison, text, shortVersion)
  const between = (from: string, to: string) => all(compareTo('>=', from), compareTo('<', to))
  if (op === '^') return between(`${major}.0.0-0`, `${Number(major) + 1}.0.0-0`)
  if (op === '~') return between(`${major}.${minor}.0-0`, `${major}.${Number(minor) + 1}.0-0`)
  const known = ['=', '!=', '<', '<=', '>', '>='].find((one) => one === op) as Comparison | undefined
  return known === undefined ? never : compareTo(known, `${major}.${minor}.${patch}${more}`)
}
