import {
  attributeNamed,
  type Comparison,
  compareNumber,
  compareVersion,
  fullVersion,
  test,
} from '../conditions/attribute-tests.ts'
import type { ClauseValue } from '../conditions/clause.ts'
import { any, type Condition, never, not } from '../conditions/condition.ts'
import { addressPattern, anyCasePattern, portablePattern } from '../conditions/text-pattern.ts'
import type { AttributeExample, Loss } from '../moved-project.ts'
import type { UnleashConstraint } from './export.ts'

/** What is told about a constraint while it is read. */
export interface ConstraintNotes {
  readonly lose: (loss: Pick<Loss, 'what' | 'why' | 'instead' | 'affects'>) => void
  readonly advise: (sentence: string) => void
  readonly example: (example: Pick<AttributeExample, 'attribute' | 'value'>) => void
}

/** How a field of Unleash's context is called in a context here; undefined where it can have no name. */
export function attributeOf(contextName: string): string | undefined {
  if (contextName === 'properties') return undefined
  return contextName === 'userId' ? 'key' : attributeNamed(contextName)
}

/**
 * The condition that a constraint is.
 *
 * Unleash makes a text of every value, and a constraint that is inverted, or `NOT_IN`, matches where there is none.
 */
export function constraintCondition(constraint: UnleashConstraint, notes: ConstraintNotes): Condition {
  const attribute = attributeOf(constraint.contextName)
  if (attribute === undefined) {
    return untold(constraint, notes, `contexts here can have no attribute ${constraint.contextName} of their own`)
  }
  if (['environment', 'appName'].includes(constraint.contextName)) {
    notes.advise(
      'The old SDK added environment and appName to contexts by itself: add them as attributes where you ask.',
    )
  }
  const condition = plainCondition(constraint, attribute, notes)
  if (condition === undefined) return never
  return constraint.inverted ? not(condition) : condition
}

/** Undefined where nothing matches it, inverted or not. */
function plainCondition(constraint: UnleashConstraint, attribute: string, notes: ConstraintNotes) {
  const { operator } = constraint
  const values = (constraint.values ?? []).filter((value) => value !== '').map((value) => value.trim())
  if (operator === 'IN') return test(attribute, 'in', ...sameTexts(attribute, values))
  if (operator === 'NOT_IN') return not(test(attribute, 'in', ...sameTexts(attribute, values)))
  if (operator.startsWith('STR_')) return textCondition(constraint, attribute, values, notes)
  if (operator.startsWith('NUM_')) return numberCondition(constraint, attribute, notes)
  if (operator.startsWith('DATE_')) return dateCondition(constraint, notes)
  if (operator.startsWith('SEMVER_')) return versionCondition(constraint, attribute)
  if (operator === 'REGEX') return patternCondition(constraint, attribute, notes)
  if (operator === 'IN_CIDR') return addressCondition(attribute, values, notes)
  untold(constraint, notes, 'it is not known what it means')
  return undefined
}

/** A number or a boolean is the text that it is written as. */
export function sameTexts(attribute: string, texts: readonly string[]): ClauseValue[] {
  if (attribute === 'key') return [...texts]
  return texts.flatMap((text): ClauseValue[] => {
    if (text === 'true' || text === 'false') return [text, text === 'true']
    return String(Number(text)) === text && Number.isFinite(Number(text)) ? [text, Number(text)] : [text]
  })
}

const textOps = { STR_STARTS_WITH: 'startsWith', STR_ENDS_WITH: 'endsWith', STR_CONTAINS: 'contains' } as const
const places = { startsWith: 'start', endsWith: 'end', contains: 'anywhere' } as const

function textCondition(
  constraint: UnleashConstraint,
  attribute: string,
  values: readonly string[],
  notes: ConstraintNotes,
): Condition | undefined {
  const op = textOps[constraint.operator as keyof typeof textOps]
  if (op === undefined) {
    untold(constraint, notes, 'it is not known what it means')
    return undefined
  }
  notes.advise('What is compared as text has to be given as text: a number is not looked at.')
  if (!constraint.caseInsensitive) return test(attribute, op, ...values)
  const patterns = values.flatMap((value) => {
    const pattern = anyCasePattern(value.toLocaleLowerCase(), places[op])
    if (pattern === undefined) untold(constraint, notes, 'a value is too long to be compared in any case')
    else for (const text of [value, value.toUpperCase(), value.toLowerCase()]) notes.example({ attribute, value: text })
    return pattern ?? []
  })
  return test(attribute, 'matches', ...patterns)
}

const comparisons: Readonly<Record<string, Comparison>> = { EQ: '=', LT: '<', LTE: '<=', GT: '>', GTE: '>=' }

function comparisonOf({ operator }: UnleashConstraint): Comparison | undefined {
  return comparisons[operator.slice(operator.indexOf('_') + 1)]
}

function numberCondition(constraint: UnleashConstraint, attribute: string, notes: ConstraintNotes) {
  const comparison = comparisonOf(constraint)
  const bound = constraint.value === null || constraint.value === undefined ? Number.NaN : Number(constraint.value)
  notes.advise('What is compared as a number has to be given as a number: "5" is not looked at.')
  if (comparison === undefined) {
    untold(constraint, notes, 'it is not known what it means')
    return undefined
  }
  if (!Number.isFinite(bound)) return never
  return comparison === '=' ? test(attribute, 'in', bound, String(bound)) : compareNumber(attribute, comparison, bound)
}

function dateCondition(constraint: UnleashConstraint, notes: ConstraintNotes): Condition | undefined {
  const op = ({ DATE_AFTER: 'after', DATE_BEFORE: 'before' } as const)[constraint.operator]
  if (op === undefined) {
    untold(constraint, notes, 'it is not known what it means')
    return undefined
  }
  notes.lose({
    what: `constraint ${constraint.operator}`,
    why: 'rules have no clock',
    instead:
      'it asks for the attribute currentTime: give it with each context, as milliseconds; without it nobody matches',
    affects: 'values',
  })
  const moment = new Date(constraint.value ?? Number.NaN).getTime()
  return Number.isNaN(moment) ? never : test('currentTime', op, moment)
}

function versionCondition(constraint: UnleashConstraint, attribute: string): Condition | undefined {
  const comparison = comparisonOf(constraint)
  const bound = String(constraint.value ?? '')
    .trim()
    .replace(/^v/, '')
  if (comparison === undefined || !/^\d+\.\d+\.\d+(?:[-+]|$)/.test(bound)) return never
  return compareVersion(attribute, comparison, bound, fullVersion)
}

function patternCondition(constraint: UnleashConstraint, attribute: string, notes: ConstraintNotes) {
  const pattern = constraint.caseInsensitive ? undefined : portablePattern(String(constraint.value ?? ''))
  if (pattern === undefined) untold(constraint, notes, 'regular expressions of RE2 and of JavaScript differ in it')
  if (pattern === undefined) return undefined
  // Of a simple pattern what is left is a text that it matches.
  notes.example({ attribute, value: pattern.replaceAll(/[\^$()|?*+{}[\]\\]/g, '') })
  return test(attribute, 'matches', pattern)
}

/** Addresses by ranges, also of a strategy. */
export function addressCondition(attribute: string, ranges: readonly string[], notes: ConstraintNotes): Condition {
  return any(
    ...ranges.map((range) => {
      const pattern = addressPattern(range)
      if (pattern !== undefined) {
        notes.example({ attribute, value: range.replace(/\/.*/, '') })
        return test(attribute, 'matches', pattern)
      }
      if (range.includes('/')) {
        const told = { what: `address range ${range}`, why: 'only ranges of IPv4 can be said as a pattern' }
        notes.lose({ ...told, instead: 'only this very text matches', affects: 'values' })
      }
      return test(attribute, 'in', range)
    }),
  )
}

/** A constraint that cannot be told: nobody matches, so that nobody sees what they did not see before. */
function untold({ operator, contextName }: UnleashConstraint, notes: ConstraintNotes, why: string): Condition {
  notes.lose({ what: `constraint ${contextName} ${operator}`, why, instead: 'nobody matches it', affects: 'values' })
  return never
}
