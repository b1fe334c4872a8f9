import type { Segment, SegmentRule } from '../../../models/segments/segment.ts'
import type { Fault } from '../../../rules/json-guard.ts'
import { userKind } from '../../../rules/targeting/clause.ts'
import { entriesOf, kindsOf, type Side, type TargetLists, targetsOn } from '../target-lists.ts'

/** Most entries of a standard segment; with one more it is a big one (D24). */
export const mostEntries = 15_000

const mostRules = 5_000
const mostClauseValues = 50_000

/** What is wrong with a segment as a whole, whichever way it was changed (D24); empty when nothing is. */
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
    const reason = `must name each context kind once, and ${userKind} not at all: users are in ${side}`
    faults.push({ attribute: `${side}Contexts`, reason })
  }
  return faults
}

function overlapFaults(lists: TargetLists): Fault[] {
  const excluded = new Map<string, ReadonlySet<string>>()
  for (const { contextKind, values } of targetsOn(lists, 'excluded')) excluded.set(contextKind, new Set(values))
  return targetsOn(lists, 'included').flatMap(({ contextKind, values }, at) =>
    values.some((key) => excluded.get(contextKind)?.has(key))
      ? [{ attribute: attributeOf('included', at), reason: 'must not hold a key that is excluded too' }]
      : [],
  )
}

function ruleFaults(rules: readonly SegmentRule[]): Fault[] {
  const faults: Fault[] = []
  if (rules.length > mostRules) faults.push({ attribute: 'rules', reason: `must hold at most ${mostRules} rules` })
  if (repeats(rules.map((rule) => rule._id))) faults.push({ attribute: 'rules', reason: 'must not repeat an _id' })
  const clauses = rules.map((rule) => rule.clauses)
  const values = clauses.flat().reduce((sum, clause) => sum + clause.values.length, 0)
  if (values > mostClauseValues) {
    faults.push({ attribute: 'rules', reason: `must hold at most ${mostClauseValues} clause values` })
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
    const reason = 'must stay empty: targets of a big segment have instructions and operations of their own'
    faults.push({ attribute: 'included', reason })
  }
  if (segment.rules.length > 0) faults.push({ attribute: 'rules', reason: 'must be empty in a big segment' })
  return faults
}

/** What is wrong with where the keys come from; a synced segment is a big one (spec.md). */
export function syncFaults({
  unbounded,
  _external,
  _externalLink,
}: Pick<Segment, 'unbounded' | '_external' | '_externalLink'>): Fault[] {
  if (_external === undefined && _externalLink === undefined) return []
  const attribute = _external === undefined ? '_externalLink' : '_external'
  if (!unbounded) return [{ attribute, reason: 'is for big segments only' }]
  return _external === undefined ? [{ attribute, reason: 'must come with _external' }] : []
}

/** What keeps a segment whose lists became too long from becoming a big one. */
function growthFaults(segment: Segment): Fault[] {
  const faults: Fault[] = []
  if (kindsOf(segment).length > 1) {
    const reason = `must be of one context kind where a segment has more than ${mostEntries}`
    faults.push({ attribute: 'includedContexts', reason })
  }
  if (segment.rules.length > 0) {
    faults.push({ attribute: 'rules', reason: `must be empty in a segment of more than ${mostEntries} entries` })
  }
  if (segment.expiringTargets?.length) {
    const reason = `must have no targets that expire where a segment has more than ${mostEntries}`
    faults.push({ attribute: 'included', reason })
  }
  return faults
}

/** Where the lists of `targetsOn` stand in a segment: users have one of their own, before all others. */
function attributeOf(side: Side, at: number): string {
  return at === 0 ? side : `${side}Contexts.${at - 1}.values`
}

function repeats(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length
}
