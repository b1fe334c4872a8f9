import { compileCondition } from '../conditions/compile-condition.ts'
import { examplesOf } from '../conditions/is-there.ts'
import { createSegmentPool, type SegmentPool } from '../conditions/segment-pool.ts'
import { beginTelling } from '../conditions/told.ts'
import { createKeyList, nameOf } from '../moved-names.ts'
import { type AttributeExample, emptySegment, type Loss, type LossEffect, type MovedSegment } from '../moved-project.ts'
import { pointer } from '../read-shape.ts'
import { sharesMove } from '../shares.ts'
import { conditionOfRules, numbersIn } from './condition.ts'
import type { FlagsmithSegment } from './document.ts'
import type { PlacedDocument } from './documents.ts'

/** The imported segments of an export. */
export interface MovedSegments {
  readonly moved: readonly MovedSegment[]
  readonly losses: readonly Loss[]
  readonly examples: readonly AttributeExample[]
  keyOf(environmentKey: string, segment: FlagsmithSegment): string
  /** Returns what differs for rules that refer to the segment; undefined when nothing does. */
  effectOf(environmentKey: string, segment: FlagsmithSegment): LossEffect | undefined
}

/** Translates the segments of each environment. Conditions that clauses cannot express need additional segments. */
export function segmentsOf(documents: readonly PlacedDocument[]): MovedSegments {
  const names = nameSegments(documents)
  const keys = createKeyList([...names.values()])
  const keyOf = ({ id }: FlagsmithSegment) => keys.keyOf(names.get(id) as string)
  const numbers = new Set(documents.flatMap(segmentsIn).flatMap(({ rules }) => numbersIn(rules)))
  const isNumber = (attribute: string) => numbers.has(attribute)
  const effects = new Map<string, LossEffect>()
  const told = documents.map((one) => tellDocument(one, keyOf, isNumber, effects))
  const moved = told.flatMap((one) => one.moved)
  return {
    moved,
    losses: told.flatMap((one) => one.losses),
    examples: examplesOf(
      moved.flatMap(({ rules }) => rules),
      isNumber,
    ),
    keyOf: (_environmentKey, segment) => keyOf(segment),
    effectOf: (environmentKey, { id }) => effects.get(`${environmentKey} ${id}`),
  }
}

function segmentsIn({ document }: PlacedDocument): readonly FlagsmithSegment[] {
  return document.project.segments ?? []
}

/** @param effects receives the effects of losses, by environment and id. */
function tellDocument(
  place: PlacedDocument,
  keyOf: (segment: FlagsmithSegment) => string,
  isNumber: (attribute: string) => boolean,
  effects: Map<string, LossEffect>,
): { readonly moved: readonly MovedSegment[]; readonly losses: readonly Loss[] } {
  const { environmentKey, at } = place
  const pool = createSegmentPool(environmentKey)
  const told = segmentsIn(place).map((segment, index) => {
    const one = tellSegment(segment, keyOf(segment), environmentKey, pool, isNumber)
    const losses = one.losses.map((loss) => ({ ...loss, at: pointer(at, 'project', 'segments', index) }))
    const [any] = losses
    const worst = losses.find(({ affects }) => affects === 'values') ?? any
    if (worst) effects.set(`${environmentKey} ${segment.id}`, worst.affects)
    return { moved: one.moved, losses }
  })
  return { moved: [...told.map((one) => one.moved), ...pool.made()], losses: told.flatMap((one) => one.losses) }
}

/** A name that several segments have is extended with their ids. */
function nameSegments(documents: readonly PlacedDocument[]): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  for (const { id, name } of documents.flatMap(segmentsIn)) names.set(id, name)
  const list = [...names.values()]
  const shared = new Set(list.filter((name, at) => list.indexOf(name) !== at))
  return new Map([...names].map(([id, name]) => [id, shared.has(name) ? `${name} ${id}` : name]))
}

function tellSegment(
  segment: FlagsmithSegment,
  key: string,
  environmentKey: string,
  pool: SegmentPool,
  isNumber: (attribute: string) => boolean,
): { readonly moved: MovedSegment; readonly losses: readonly Loss[] } {
  const telling = { ...beginTelling(), name: segment.name, isNumber }
  const condition = conditionOfRules(telling, segment.rules)
  const rules = compileCondition(condition, pool).map((clauses) => ({ clauses }))
  const about = { segment: key, environment: environmentKey }
  const untold = telling.untold.map((one): Loss => ({ ...about, ...one, affects: 'values' }))
  const shares = JSON.stringify(segment.rules).includes('"PERCENTAGE_SPLIT"') ? [{ ...about, ...splitMoves }] : []
  const moved = { ...emptySegment(environmentKey, key, nameOf(segment.name)), rules }
  return { moved, losses: [...untold, ...shares] }
}

const splitMoves = sharesMove(
  'which contexts are in a percentage split',
  'another hash decides here, and the percentages of one segment are decided independently',
)
