import { isGrownSegment, type Segment, type SegmentRule } from '../../../models/segments/segment.ts'
import type { ValidationError } from '../../../rules/json-guard.ts'
import { userKind } from '../../../rules/targeting/clause.ts'
import { contextKindsOf, countEntries, type Side, type TargetLists, targetsOn } from '../target-lists.ts'

/**
 * Maximum number of entries of a standard segment. A segment with more entries is a big segment
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d24-segments).
 */
export const maxStandardEntries = 15_000

/**
 * Maximum number of entries of a segment that was created as a standard one. Evaluation has all of them in memory
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d24-segments).
 */
const maxGrownEntries = 1_000_000

/** Reason why the lists of a big segment cannot be set. */
export const emptyInBigSegment =
  'must be empty in a big segment: change its keys with instructions, such as addIncludedTargets, or an import'

const maxRules = 5_000
const maxClauseValues = 50_000

/**
 * Returns the validation errors of a whole segment, regardless of how it was changed
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d24-segments); empty when it is valid.
 */
export function validateSegment(segment: Segment): ValidationError[] {
  const errors = [
    ...validateSide(segment, 'included'),
    ...validateSide(segment, 'excluded'),
    ...validateOverlap(segment),
    ...validateRules(segment.rules),
    ...validateSyncSettings(segment),
  ]
  if (segment.unbounded) errors.push(...validateBigSegment(segment))
  else if (countEntries(segment) > maxStandardEntries) errors.push(...validateConversion(segment))
  return errors
}

function validateSide(lists: TargetLists, side: Side): ValidationError[] {
  const targets = targetsOn(lists, side)
  const errors = targets.flatMap(({ values }, index) =>
    hasDuplicates(values) ? [{ attribute: attributeOf(side, index), reason: 'must not repeat a key' }] : [],
  )
  if (hasDuplicates(targets.map((target) => target.contextKind))) {
    const reason = `must contain each context kind once, and not ${userKind}: users are listed in ${side}`
    errors.push({ attribute: `${side}Contexts`, reason })
  }
  return errors
}

function validateOverlap(lists: TargetLists): ValidationError[] {
  const excluded = new Map<string, ReadonlySet<string>>()
  for (const { contextKind, values } of targetsOn(lists, 'excluded')) excluded.set(contextKind, new Set(values))
  return targetsOn(lists, 'included').flatMap(({ contextKind, values }, index) =>
    values.some((key) => excluded.get(contextKind)?.has(key))
      ? [{ attribute: attributeOf('included', index), reason: 'must not contain a key that is also excluded' }]
      : [],
  )
}

function validateRules(rules: readonly SegmentRule[]): ValidationError[] {
  const errors: ValidationError[] = []
  if (rules.length > maxRules) errors.push({ attribute: 'rules', reason: `must contain at most ${maxRules} rules` })
  if (hasDuplicates(rules.map((rule) => rule._id)))
    errors.push({ attribute: 'rules', reason: 'must not repeat an _id' })
  const clauses = rules.map((rule) => rule.clauses)
  const values = clauses.flat().reduce((sum, clause) => sum + clause.values.length, 0)
  if (values > maxClauseValues) {
    errors.push({ attribute: 'rules', reason: `must contain at most ${maxClauseValues} clause values` })
  }
  for (const [index, list] of clauses.entries()) {
    if (!hasDuplicates(list.map((clause) => clause._id))) continue
    errors.push({ attribute: `rules.${index}.clauses`, reason: 'must not repeat an _id' })
  }
  return errors
}

function validateBigSegment(segment: Segment): ValidationError[] {
  const errors: ValidationError[] = []
  if (countEntries(segment) > 0) {
    errors.push({ attribute: 'included', reason: emptyInBigSegment })
  }
  if (segment.rules.length > 0) errors.push({ attribute: 'rules', reason: 'must be empty in a big segment' })
  return errors
}

/**
 * Returns the errors of the settings about the source of the keys. Only a big segment can be synced
 * (docs/specification.md).
 */
export function validateSyncSettings({
  unbounded,
  _external,
  _externalLink,
}: Pick<Segment, 'unbounded' | '_external' | '_externalLink'>): ValidationError[] {
  if (_external === undefined && _externalLink === undefined) return []
  const attribute = _external === undefined ? '_externalLink' : '_external'
  if (!unbounded) return [{ attribute, reason: 'is allowed for big segments only' }]
  return _external === undefined ? [{ attribute, reason: 'must be given together with _external' }] : []
}

/** Returns the errors that prevent the conversion of a segment with too long lists to a big segment. */
function validateConversion(segment: Segment): ValidationError[] {
  const errors: ValidationError[] = countEntries(segment) > maxGrownEntries ? [tooManyEntries] : []
  if (contextKindsOf(segment).length > 1) {
    const reason = `must contain at most 1 context kind when the segment has more than ${maxStandardEntries} entries`
    errors.push({ attribute: 'includedContexts', reason })
  }
  if (segment.rules.length > 0) {
    errors.push({
      attribute: 'rules',
      reason: `must be empty when the segment has more than ${maxStandardEntries} entries`,
    })
  }
  if (segment.expiringTargets?.length) {
    const reason = `must have no expiring targets when the segment has more than ${maxStandardEntries} entries`
    errors.push({ attribute: 'included', reason })
  }
  return errors
}

/**
 * Returns the error of a change that makes a grown segment too large for evaluation, which keeps its keys in memory.
 * Segments that are larger already and segments that were created as big ones have no such limit.
 */
export function validateGrowth(before: Segment, after: Segment): ValidationError[] {
  if (!isGrownSegment(after) || countBigEntries(after) <= maxGrownEntries) return []
  return countBigEntries(after) > countBigEntries(before) ? [tooManyEntries] : []
}

const tooManyEntries: ValidationError = {
  attribute: 'included',
  reason: `must have at most ${maxGrownEntries} keys together with excluded; a segment that is created with unbounded true can have more`,
}

function countBigEntries({ bigIncluded, bigExcluded }: Segment): number {
  return (bigIncluded?.count ?? 0) + (bigExcluded?.count ?? 0)
}

/** Returns the path of a list that `targetsOn` returned. Users have a separate list, which comes first. */
function attributeOf(side: Side, index: number): string {
  return index === 0 ? side : `${side}Contexts.${index - 1}.values`
}

function hasDuplicates(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length
}
