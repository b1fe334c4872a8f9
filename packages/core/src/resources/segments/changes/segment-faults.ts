import type { Segment, SegmentRule } from '../../../models/segments/segment.ts'
import type { Fault } from '../../../rules/json-guard.ts'
import { userKind } from '../../../rules/targeting/clause.ts'
import { entriesOf, kindsOf, type Side, type TargetLists, targetsOn } from '../target-lists.ts'

/** Maximum number of entries of a standard segment. With one more it is a big segment (D24). */
export const mostEntries = 15_000

const mostRules = 5_000
const mostClauseValues = 50_000

/** Returns the validation errors of a whole segment, regardless of how it was changed (D24); empty when it is valid. */
export function segmentFaults(segment: Segment): Fault[] {
  const faults = [
    ...sideFaults(segment, 'included'),
    ...sideFaults(segment, 'excluded'),
    ...overlapFaults(segment),
    ...ruleFaults(segment.rules),
    ...syncFaults(segment),
  ]
  if (segment.unbounded) faults.push(...bigFaults(segment))
  else if (entriesOf(segment) > mostEntries) faults.push(...growthFaults(segment))
  return faults
}

function sideFaults(lists: TargetLists, side: Side): Fault[] {
  const targets = targetsOn(lists, side)
  const faults = targets.flatMap(({ values }, at) =>
    repeats(values) ? [{ attribute: attributeOf(side, at), reason: 'must not repeat a key' }] : [],
  )
  if (repeats(targets.map((one) => one.contextKind))) {
    const reason = `must contain each context kind once, and not ${userKind}: users are listed in ${side}`
    faults.push({ attribute: `${side}Contexts`, reason })
  }
  return faults
}

function overlapFaults(lists: TargetLists): Fault[] {
  const excluded = new Map<string, ReadonlySet<string>>()
  for (const { contextKind, values } of targetsOn(lists, 'excluded')) excluded.set(contextKind, new Set(values))
  return targetsOn(lists, 'included').flatMap(({ contextKind, values }, at) =>
    values.some((key) => excluded.get(contextKind)?.has(key))
      ? [{ attribute: attributeOf('included', at), reason: 'must not contain a key that is also excluded' }]
      : [],
  )
}

function ruleFaults(rules: readonly SegmentRule[]): Fault[] {
  const faults: Fault[] = []
  if (rules.length > mostRules) faults.push({ attribute: 'rules', reason: `must contain at most ${mostRules} rules` })
  if (repeats(rules.map((rule) => rule._id))) faults.push({ attribute: 'rules', reason: 'must not repeat an _id' })
  const clauses = rules.map((rule) => rule.clauses)
  const values = clauses.flat().reduce((sum, clause) => sum + clause.values.length, 0)
  if (values > mostClauseValues) {
    faults.push({ attribute: 'rules', reason: `must contain at most ${mostClauseValues} clause values` })
  }
  for (const [at, list] of clauses.entries()) {
    if (!repeats(list.map((clause) => clause._id))) continue
    faults.push({ attribute: `rules.${at}.clauses`, reason: 'must not repeat an _id' })
  }
  return faults
}

function bigFaults(segment: Segment): Fault[] {
  const faults: Fault[] = []
  if (entriesOf(segment) > 0) {
    const reason = 'must be empty: the targets of a big segment have their own instructions and operations'
    faults.push({ attribute: 'included', reason })
  }
  if (segment.rules.length > 0) faults.push({ attribute: 'rules', reason: 'must be empty in a big segment' })
  return faults
}

/** Returns the errors of the settings about the source of the keys. Only a big segment can be synced (spec.md). */
export function syncFaults({
  unbounded,
  _external,
  _externalLink,
}: Pick<Segment, 'unbounded' | '_external' | '_externalLink'>): Fault[] {
  if (_external === undefined && _externalLink === undefined) return []
  const attribute = _external === undefined ? '_externalLink' : '_external'
  if (!unbounded) return [{ attribute, reason: 'is allowed for big segments only' }]
  return _external === undefined ? [{ attribute, reason: 'must be given together with _external' }] : []
}

/** Returns the errors that prevent the conversion of a segment with too long lists to a big segment. */
function growthFaults(segment: Segment): Fault[] {
  const faults: Fault[] = []
  if (kindsOf(segment).length > 1) {
    const reason = `must contain one context kind only when the segment has more than ${mostEntries} entries`
    faults.push({ attribute: 'includedContexts', reason })
  }
  if (segment.rules.length > 0) {
    faults.push({ attribute: 'rules', reason: `must be empty when the segment has more than ${mostEntries} entries` })
  }
  if (segment.expiringTargets?.length) {
    const reason = `must have no expiring targets when the segment has more than ${mostEntries} entries`
    faults.push({ attribute: 'included', reason })
  }
  return faults
}

/** Returns the path of a list that `targetsOn` returned. Users have a list of their own, which comes first. */
function attributeOf(side: Side, at: number): string {
  return at === 0 ? side : `${side}Contexts.${at - 1}.values`
}

function repeats(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length
}
