import { compareAttribute } from '../conditions/attribute-tests.ts'
import { all, always, type Condition, not } from '../conditions/condition.ts'
import { type LogicNotes, logicCondition } from './condition.ts'
import { callOf, operandOf } from './json-logic.ts'
import type { FlagdValues } from './values.ts'

/** The outcome of targeting in one case. The first branch whose condition is true decides. */
export interface Branch {
  readonly condition: Condition
  readonly outcome: Outcome
}

/** A variant by its name, the default variant, or variants by weight. */
export type Outcome =
  | { readonly kind: 'variant'; readonly name: string }
  | { readonly kind: 'default' }
  | { readonly kind: 'shares'; readonly shares: readonly WeightedVariant[]; readonly bucketBy: string | undefined }

export interface WeightedVariant {
  /** Name of the variant; null for the default variant. */
  readonly name: string | null
  readonly weight: number
}

const defaultOutcome: Outcome = { kind: 'default' }
const unconditionally = (outcome: Outcome): Branch => ({ condition: always, outcome })

/** Operations whose result is always true or false. */
const booleanOperations = new Set(['==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in', '!', '!!', 'not'])

/**
 * Splits targeting into cases, of which the last one is always true. A case that rules cannot express is omitted, and
 * the following cases apply to its contexts.
 */
export function branchesOf(logic: unknown, values: FlagdValues, notes: LogicNotes): readonly Branch[] {
  const call = callOf(logic)
  if (!call) return [unconditionally(literalOutcome(logic))]
  if (call.op === 'if' || call.op === '?:') return conditionalBranches(call.args, values, notes)
  if (call.op === 'fractional') return shares(call.args, notes)
  if (call.op === 'var' || call.op === 'val') return attributeBranches(logic, values, notes)
  if (isBoolean(logic)) return booleanBranches(logic, notes)
  notes.unsupported(`the result of ${call.op || 'an object'} is not a variant that rules can name`)
  return [unconditionally(defaultOutcome)]
}

/** Returns the variant that a literal names by its text, or the default for null. Lists never name a variant. */
function literalOutcome(logic: unknown): Outcome {
  return logic === null || logic === undefined ? defaultOutcome : { kind: 'variant', name: String(logic) }
}

function conditionalBranches(args: readonly unknown[], values: FlagdValues, notes: LogicNotes): readonly Branch[] {
  const [condition, then, ...rest] = args
  if (args.length === 0) return [unconditionally(defaultOutcome)]
  if (args.length === 1) return branchesOf(condition, values, notes)
  const caseCondition = logicCondition(condition, notes)
  const ownBranches = caseCondition
    ? branchesOf(then, values, notes).map((branch) => ({ ...branch, condition: all(caseCondition, branch.condition) }))
    : []
  return [
    ...ownBranches,
    ...(rest.length === 0 ? [unconditionally(defaultOutcome)] : conditionalBranches(rest, values, notes)),
  ]
}

function isBoolean(logic: unknown): boolean {
  const call = callOf(logic)
  if (!call) return typeof logic === 'boolean'
  if (call.op === 'and' || call.op === 'or') return call.args.length > 0 && call.args.every(isBoolean)
  return booleanOperations.has(call.op)
}

/** Returns the branches of a condition, whose result names the variant `true` or `false`. */
function booleanBranches(logic: unknown, notes: LogicNotes): readonly Branch[] {
  const condition = logicCondition(logic, notes)
  if (!condition) return [unconditionally(defaultOutcome)]
  return [
    { condition, outcome: { kind: 'variant', name: 'true' } },
    { condition: not(condition), outcome: { kind: 'variant', name: 'false' } },
    unconditionally(defaultOutcome),
  ]
}

/** Returns the branches of an attribute whose value is the name of a variant. */
function attributeBranches(logic: unknown, values: FlagdValues, notes: LogicNotes): readonly Branch[] {
  const operand = operandOf(logic, notes.flagKey)
  if (operand?.kind === 'literal') return [unconditionally(literalOutcome(operand.value))]
  notes.unsupported(
    'a value of the attribute that names no variant is an error in flagd, and serves the default variant in Halyard',
  )
  if (!operand) return [unconditionally(defaultOutcome)]
  const names = [...new Set([...values.variations.map(({ name }) => name ?? ''), ...values.sharedVariants])]
  const existingNames = names.filter((name) => values.indexOf(name) !== undefined)
  return [
    ...existingNames.map(
      (name): Branch => ({
        condition: compareAttribute(operand.attribute, 'in', name),
        outcome: { kind: 'variant', name },
      }),
    ),
    unconditionally(defaultOutcome),
  ]
}

function shares(args: readonly unknown[], notes: LogicNotes): readonly Branch[] {
  const [first, ...others] = args
  const isKey = Array.isArray(first) || args.length === 0
  const bucketingKey = isKey ? { bucketBy: undefined, condition: always } : bucketingAttribute(first, notes)
  const list = (isKey ? args : others).map(weightedVariantOf)
  if (!bucketingKey || list.some((bucket) => bucket === undefined)) {
    notes.unsupported('the buckets of fractional must be names with weights')
    return [unconditionally(defaultOutcome)]
  }
  const weightedVariants = (list as WeightedVariant[]).filter(({ weight }) => weight > 0)
  if (weightedVariants.length === 0) return [unconditionally(defaultOutcome)]
  return [
    {
      condition: bucketingKey.condition,
      outcome: { kind: 'shares', shares: weightedVariants, bucketBy: bucketingKey.bucketBy },
    },
    unconditionally(defaultOutcome),
  ]
}

function weightedVariantOf(bucket: unknown): WeightedVariant | undefined {
  const [name, weight = 1] = Array.isArray(bucket) ? bucket : []
  if (typeof weight !== 'number' || !Number.isInteger(weight)) return undefined
  if (name === null) return { name: null, weight: Math.max(0, weight) }
  const isName = typeof name === 'string' || typeof name === 'number' || typeof name === 'boolean'
  return isName ? { name: String(name), weight: Math.max(0, weight) } : undefined
}

/** Returns the attribute that is hashed, either alone or after texts that are the same for all contexts. */
function bucketingAttribute(logic: unknown, { flagKey }: LogicNotes) {
  const call = callOf(logic)
  const parts = (call?.op === 'cat' ? call.args : [logic]).map((part) => operandOf(part, flagKey))
  const attributes = parts.flatMap((part) => (part?.kind === 'attribute' ? [part.attribute] : []))
  const [attribute] = attributes
  if (attributes.length !== 1 || attribute === undefined || parts.includes(undefined)) return undefined
  if (attribute === 'key') return { bucketBy: undefined, condition: always }
  const isText = call?.op === 'cat' ? always : compareAttribute(attribute, 'startsWith', '')
  return { bucketBy: attribute, condition: isText }
}
