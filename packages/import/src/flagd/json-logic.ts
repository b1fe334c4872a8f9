import { attributeReference } from '../conditions/attribute-tests.ts'

/**
 * An expression of JSONLogic with an operation: an object whose only property is the operation, with its arguments as
 * the value.
 */
export interface LogicCall {
  readonly op: string
  readonly args: readonly unknown[]
}

/** Returns the operation of an expression; undefined for literals and lists. */
export function callOf(logic: unknown): LogicCall | undefined {
  if (typeof logic !== 'object' || logic === null || Array.isArray(logic)) return undefined
  const entries = Object.entries(logic)
  const [only] = entries
  if (entries.length !== 1 || !only) return { op: '', args: [] }
  const [op, args] = only
  return { op, args: Array.isArray(args) ? args : [args] }
}

/** An operand of a comparison. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: unknown }
  /** `always` is true for an attribute that every context has. */
  | { readonly kind: 'attribute'; readonly attribute: string; readonly always: boolean; readonly clock: boolean }

/** Seconds since 1970, which flagd adds to contexts itself. */
export const clockAttribute = '/$flagd/timestamp'

/**
 * Reads an operand.
 *
 * @param flagKey value of `$flagd.flagKey`.
 * @returns undefined for an expression that is neither a literal nor an attribute.
 */
export function operandOf(logic: unknown, flagKey: string): Operand | undefined {
  const call = callOf(logic)
  if (!call) return literalOf(logic)
  if (call.op === 'cat') return concatenate(call.args.map((item) => operandOf(item, flagKey)))
  if (call.op !== 'var' && call.op !== 'val') return undefined
  const path = pathOf(call)
  if (path?.join('.') === '$flagd.flagKey') return { kind: 'literal', value: flagKey }
  const attribute = path && attributeAt(path)
  if (attribute === undefined) return undefined
  const clock = attribute === clockAttribute
  return { kind: 'attribute', attribute, always: clock || attribute === 'key', clock }
}

function literalOf(logic: unknown): Operand | undefined {
  if (Array.isArray(logic) && logic.some((item) => typeof item === 'object' && item !== null)) return undefined
  return { kind: 'literal', value: logic }
}

function concatenate(parts: readonly (Operand | undefined)[]): Operand | undefined {
  const texts = parts.map((part) => (part?.kind === 'literal' && !Array.isArray(part.value) ? part.value : undefined))
  if (texts.some((text) => text === undefined)) return undefined
  return { kind: 'literal', value: texts.map((text) => text ?? '').join('') }
}

/** Returns the property names of an attribute's path; undefined when a default is given, or the name is not plain. */
export function pathOf({ op, args }: LogicCall): readonly string[] | undefined {
  const [name, ...others] = args
  if (op === 'val')
    return args.every((item) => typeof item === 'string' && item !== '') ? (args as string[]) : undefined
  if (typeof name !== 'string' || others.length > 0 || name.includes('\\') || name.startsWith('../')) return undefined
  return name.split('.')
}

/**
 * Returns the attribute reference of a clause for an attribute of flagd's context. Elements of lists cannot be referred
 * to.
 */
export function attributeAt(path: readonly string[]): string | undefined {
  const [first = ''] = path
  if (path.length === 1) return first === 'targetingKey' ? 'key' : attributeReference(first)
  if (first === 'targetingKey' || attributeReference(first) === undefined) return undefined
  if (path.some((name) => name === '' || /^\d+$/.test(name))) return undefined
  return `/${path.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
}
