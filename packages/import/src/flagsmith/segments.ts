import { compileCondition } from '../conditions/compile-condition.ts'
import { examplesOf } from '../conditions/presence.ts'
import { createSegmentPool, type SegmentPool } from '../conditions/segment-pool.ts'
import { startTranslation } from '../conditions/translation.ts'
import { createKeyList, nameOf } from '../imported-names.ts'
import {
  type AttributeExample,
  emptySegment,
  type ImportedSegment,
  type Loss,
  type LossEffect,
} from '../imported-project.ts'
import { pointer } from '../read-shape.ts'
import { sharesLoss } from '../shares.ts'
import { conditionOfRules, numbersIn } from './condition.ts'
import type { FlagsmithSegment } from './document.ts'
import type { LocatedDocument } from './documents.ts'

/** The imported segments of an export. */
export interface ImportedSegments {
  readonly segments: readonly ImportedSegment[]
  readonly losses: readonly Loss[]
  readonly examples: readonly AttributeExample[]
  keyOf(environmentKey: string, segment: FlagsmithSegment): string
  /**
   * Returns the effect that the losses of the segment have on rules that refer to it; undefined when nothing was lost.
   */
  effectOf(environmentKey: string, segment: FlagsmithSegment): LossEffect | undefined
}

/** Translates the segments of each environment. Conditions that clauses cannot express need additional segments. */
export function segmentsOf(documents: readonly LocatedDocument[]): ImportedSegments {
  const names = nameSegments(documents)
  const keys = createKeyList([...names.values()])
  const keyOf = ({ id }: FlagsmithSegment) => keys.keyOf(names.get(id) as string)
  const numbers = new Set(documents.flatMap(segmentsIn).flatMap(({ rules }) => numbersIn(rules)))
  const isNumber = (attribute: string) => numbers.has(attribute)
  const effects = new Map<string, LossEffect>()
  const translated = documents.map((entry) => translateDocument(entry, { keyOf, isNumber, effects }))
  const allSegments = translated.flatMap((entry) => entry.importedSegments)
  return {
    segments: allSegments,
    losses: translated.flatMap((item) => item.losses),
    examples: examplesOf(
      allSegments.flatMap(({ rules }) => rules),
      isNumber,
    ),
    keyOf: (_environmentKey, segment) => keyOf(segment),
    effectOf: (environmentKey, { id }) => effects.get(`${environmentKey} ${id}`),
  }
}

function segmentsIn({ document }: LocatedDocument): readonly FlagsmithSegment[] {
  return document.project.segments ?? []
}

/** Functions and state that the translations of all documents share. */
interface SegmentLookups {
  readonly keyOf: (segment: FlagsmithSegment) => string
  readonly isNumber: (attribute: string) => boolean
  /** Map to which the worst effect of the losses of each segment is added, by environment and id. */
  readonly effects: Map<string, LossEffect>
}

/** Translates the segments of a document. */
function translateDocument(
  located: LocatedDocument,
  { keyOf, isNumber, effects }: SegmentLookups,
): { readonly importedSegments: readonly ImportedSegment[]; readonly losses: readonly Loss[] } {
  const { environmentKey, at } = located
  const pool = createSegmentPool(environmentKey)
  const translated = segmentsIn(located).map((segment, index) => {
    const entry = translateSegment(segment, keyOf(segment), { environmentKey, pool }, isNumber)
    const losses = entry.losses.map((loss) => ({ ...loss, at: pointer(at, 'project', 'segments', index) }))
    const [any] = losses
    const worst = losses.find(({ affects }) => affects === 'values') ?? any
    if (worst) effects.set(`${environmentKey} ${segment.id}`, worst.affects)
    return { moved: entry.importedSegment, losses }
  })
  return {
    importedSegments: [...translated.map((result) => result.moved), ...pool.segments()],
    losses: translated.flatMap((result) => result.losses),
  }
}

/** Returns the names of segments by id. If several segments have one name, their ids are added to it. */
function nameSegments(documents: readonly LocatedDocument[]): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  for (const { id, name } of documents.flatMap(segmentsIn)) names.set(id, name)
  const list = [...names.values()]
  const shared = new Set(list.filter((name, at) => list.indexOf(name) !== at))
  return new Map([...names].map(([id, name]) => [id, shared.has(name) ? `${name} ${id}` : name]))
}

/** An environment, and the segments that are added to it. */
interface SegmentEnvironment {
  readonly environmentKey: string
  readonly pool: SegmentPool
}

function translateSegment(
  segment: FlagsmithSegment,
  key: string,
  { environmentKey, pool }: SegmentEnvironment,
  isNumber: (attribute: string) => boolean,
): { readonly importedSegment: ImportedSegment; readonly losses: readonly Loss[] } {
  const translation = { ...startTranslation(), name: segment.name, isNumber }
  const condition = conditionOfRules(translation, segment.rules)
  const rules = compileCondition(condition, pool).map((clauses) => ({ clauses }))
  const position = { segment: key, environment: environmentKey }
  const unsupported = translation.unsupported.map((entry): Loss => ({ ...position, ...entry, affects: 'values' }))
  const shares = JSON.stringify(segment.rules).includes('"PERCENTAGE_SPLIT"') ? [{ ...position, ...splitChange }] : []
  const importedSegment = { ...emptySegment(environmentKey, key, nameOf(segment.name)), rules }
  return { importedSegment, losses: [...unsupported, ...shares] }
}

const splitChange = sharesLoss(
  'which contexts are in a percentage split',
  'Halyard uses another hash, and decides the percentages of one segment independently',
)
