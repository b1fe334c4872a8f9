import {
  attributeReference,
  type Comparison,
  compareAttribute,
  compareNumber,
  compareVersion,
  fullVersion,
} from '../conditions/attribute-tests.ts'
import type { ClauseValue } from '../conditions/clause.ts'
import { any, type Condition, never, not } from '../conditions/condition.ts'
import { addressPattern, anyCasePattern, portablePattern } from '../conditions/text-pattern.ts'
import type { AttributeExample, Loss } from '../imported-project.ts'
import type { UnleashConstraint } from './export.ts'

/** Callbacks for findings while a constraint is read. */
export interface ConstraintNotes {
  readonly reportLoss: (loss: Pick<Loss, 'what' | 'why' | 'instead' | 'affects'>) => void
  readonly advise: (sentence: string) => void
  readonly example: (example: Pick<AttributeExample, 'attribute' | 'value'>) => void
}

/** Returns the attribute reference for a field of Unleash's context; undefined when no attribute can have its name. */
export function attributeOf(contextName: string): string | undefined {
  if (contextName === 'properties') return undefined
  return contextName === 'userId' ? 'key' : attributeReference(contextName)
}

/**
 * Translates a constraint to a condition.
 *
 * Unleash converts every value to text, and a constraint that is inverted, or `NOT_IN`, matches when there is no value.
 */
export function constraintCondition(constraint: UnleashConstraint, notes: ConstraintNotes): Condition {
  const attribute = attributeOf(constraint.contextName)
  if (attribute === undefined) {
    return unsupportedCondition(
      constraint,
      notes,
      `an attribute of a context cannot be named ${constraint.contextName}`,
    )
  }
  if (['environment', 'appName'].includes(constraint.contextName)) {
    notes.advise(
      'The original SDK added environment and appName to contexts itself: send them as attributes of the context.',
    )
  }
  const condition = plainCondition(constraint, attribute, notes)
  if (condition === undefined) return never
  return constraint.inverted ? not(condition) : condition
}

/** Returns undefined when no context matches, inverted or not. */
function plainCondition(constraint: UnleashConstraint, attribute: string, notes: ConstraintNotes) {
  const { operator } = constraint
  const values = (constraint.values ?? []).filter((value) => value !== '').map((value) => value.trim())
  if (operator === 'IN') return compareAttribute(attribute, 'in', ...equalSpellings(attribute, values))
  if (operator === 'NOT_IN') return not(compareAttribute(attribute, 'in', ...equalSpellings(attribute, values)))
  if (operator.startsWith('STR_')) return textCondition(constraint, attribute, values, notes)
  if (operator.startsWith('NUM_')) return numberCondition(constraint, attribute, notes)
  if (operator.startsWith('DATE_')) return dateCondition(constraint, notes)
  if (operator.startsWith('SEMVER_')) return versionCondition(constraint, attribute)
  if (operator === 'REGEX') return patternCondition(constraint, attribute, notes)
  if (operator === 'IN_CIDR') return addressCondition(attribute, values, notes)
  unsupportedCondition(constraint, notes, 'the property is unknown')
  return undefined
}

/** Returns the texts, each followed by the number or boolean that is written in the same way, if there is one. */
export function equalSpellings(attribute: string, texts: readonly string[]): ClauseValue[] {
  if (attribute === 'key') return [...texts]
  return texts.flatMap((text): ClauseValue[] => {
    if (text === 'true' || text === 'false') return [text, text === 'true']
    return String(Number(text)) === text && Number.isFinite(Number(text)) ? [text, Number(text)] : [text]
  })
}

const textOps = { STR_STARTS_WITH: 'startsWith', STR_ENDS_WITH: 'endsWith', STR_CONTAINS: 'contains' } as const
const positions = { startsWith: 'start', endsWith: 'end', contains: 'anywhere' } as const

function textCondition(
  constraint: UnleashConstraint,
  attribute: string,
  values: readonly string[],
  notes: ConstraintNotes,
): Condition | undefined {
  const op = textOps[constraint.operator as keyof typeof textOps]
  if (op === undefined) {
    unsupportedCondition(constraint, notes, 'the property is unknown')
    return undefined
  }
  notes.advise('An attribute that is compared as text must be sent as text: a number does not match.')
  if (!constraint.caseInsensitive) return compareAttribute(attribute, op, ...values)
  const patterns = values.flatMap((value) => {
    const pattern = anyCasePattern(value.toLocaleLowerCase(), positions[op])
    if (pattern === undefined)
      unsupportedCondition(constraint, notes, 'a value is too long for a case-insensitive comparison')
    else for (const text of [value, value.toUpperCase(), value.toLowerCase()]) notes.example({ attribute, value: text })
    return pattern ?? []
  })
  return compareAttribute(attribute, 'matches', ...patterns)
}

const comparisons: Readonly<Record<string, Comparison>> = { EQ: '=', LT: '<', LTE: '<=', GT: '>', GTE: '>=' }

function comparisonOf({ operator }: UnleashConstraint): Comparison | undefined {
  return comparisons[operator.slice(operator.indexOf('_') + 1)]
}

function numberCondition(constraint: UnleashConstraint, attribute: string, notes: ConstraintNotes) {
  const comparison = comparisonOf(constraint)
  const bound = constraint.value === null || constraint.value === undefined ? Number.NaN : Number(constraint.value)
  notes.advise('An attribute that is compared as a number must be sent as a number: "5" does not match.')
  if (comparison === undefined) {
    unsupportedCondition(constraint, notes, 'the property is unknown')
    return undefined
  }
  if (!Number.isFinite(bound)) return never
  return comparison === '='
    ? compareAttribute(attribute, 'in', bound, String(bound))
    : compareNumber(attribute, comparison, bound)
}

function dateCondition(constraint: UnleashConstraint, notes: ConstraintNotes): Condition | undefined {
  const op = ({ DATE_AFTER: 'after', DATE_BEFORE: 'before' } as const)[constraint.operator]
  if (op === undefined) {
    unsupportedCondition(constraint, notes, 'the property is unknown')
    return undefined
  }
  notes.reportLoss({
    what: `constraint ${constraint.operator}`,
    why: 'rules have no clock',
    instead:
      'the rule tests the attribute currentTime: send it with each context, in milliseconds; without it no context matches',
    affects: 'values',
  })
  const time = new Date(constraint.value ?? Number.NaN).getTime()
  return Number.isNaN(time) ? never : compareAttribute('currentTime', op, time)
}

function versionCondition(constraint: UnleashConstraint, attribute: string): Condition | undefined {
  const comparison = comparisonOf(constraint)
  const bound = String(constraint.value ?? '')
    .trim()
    .replace(/^v/, '')
  if (comparison === undefined || !/^\d+\.\d+\.\d+(?:[-+]|$)/.test(bound)) return never
  return compareVersion(attribute, { comparison, bound, form: fullVersion })
}

function patternCondition(constraint: UnleashConstraint, attribute: string, notes: ConstraintNotes) {
  const pattern = constraint.caseInsensitive ? undefined : portablePattern(String(constraint.value ?? ''))
  if (pattern === undefined)
    unsupportedCondition(constraint, notes, 'RE2 and JavaScript interpret this regular expression differently')
  if (pattern === undefined) return undefined
  // A simple pattern without its special characters is a text that the pattern matches.
  notes.example({ attribute, value: pattern.replaceAll(/[\^$()|?*+{}[\]\\]/g, '') })
  return compareAttribute(attribute, 'matches', pattern)
}

/** Returns a condition that an address is in one of some ranges. Strategies use it too. */
export function addressCondition(attribute: string, ranges: readonly string[], notes: ConstraintNotes): Condition {
  return any(
    ...ranges.map((range) => {
      const pattern = addressPattern(range)
      if (pattern !== undefined) {
        notes.example({ attribute, value: range.replace(/\/.*/, '') })
        return compareAttribute(attribute, 'matches', pattern)
      }
      if (range.includes('/')) {
        const loss = { what: `address range ${range}`, why: 'a pattern can only express ranges of IPv4' }
        notes.reportLoss({ ...loss, instead: 'only this exact text matches', affects: 'values' })
      }
      return compareAttribute(attribute, 'in', range)
    }),
  )
}

/**
 * Reports a constraint that rules cannot express. No context matches it, so no context receives a value that it did not
 * receive before.
 */
function unsupportedCondition(
  { operator, contextName }: UnleashConstraint,
  notes: ConstraintNotes,
  why: string,
): Condition {
  notes.reportLoss({
    what: `constraint ${contextName} ${operator}`,
    why,
    instead: 'no context matches it',
    affects: 'values',
  })
  return never
}
