import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { links, list, moment, text, timestamp } from '../../operation/schema.ts'
import type { ExpiringTarget, ExpiryEdit } from '../../rules/expiring-targets/expiring-targets.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { contextKind } from '../targeting/clause-wire.ts'
import type { Segment, SegmentKeys } from './segment.ts'
import { segmentAt } from './segment-at.ts'
import { targetKey } from './segment-wire.ts'

const targetType = () => v.picklist(['included', 'excluded'])
const version = () => v.optional(v.pipe(v.number(), v.integer('must be an integer')))

const contextTarget = {
  targetType: targetType(),
  contextKind: v.optional(contextKind(), userKind),
  contextKey: targetKey(),
}
const userTarget = { targetType: targetType(), userKey: targetKey() }

/** The three instructions about one way to name a target. */
function instructions<const Entries extends v.ObjectEntries, const Kind extends string>(
  [add, update, remove]: readonly [Kind, Kind, Kind],
  target: Entries,
) {
  return v.variant('kind', [
    v.strictObject({ kind: v.literal(add), ...target, value: moment(), version: version() }),
    v.strictObject({ kind: v.literal(update), ...target, value: moment(), version: version() }),
    v.strictObject({ kind: v.literal(remove), ...target, version: version() }),
  ])
}

/** A semantic patch of dates; there is no other one, so the media type need not say so. */
function patchRequest<Instruction extends v.GenericSchema>(instruction: Instruction) {
  return v.strictObject({
    comment: v.optional(text()),
    environmentKey: v.optional(v.string()),
    instructions: v.pipe(list(instruction), v.maxLength(1_000, 'must hold at most 1000 instructions')),
  })
}

export const expiringTargetPatch = patchRequest(
  instructions(['addExpiringTarget', 'updateExpiringTarget', 'removeExpiringTarget'], contextTarget),
)
export const expiringUserTargetPatch = patchRequest(
  instructions(['addExpireUserTargetDate', 'updateExpireUserTargetDate', 'removeExpireUserTargetDate'], userTarget),
)

type Instruction =
  | v.InferOutput<typeof expiringTargetPatch>['instructions'][number]
  | v.InferOutput<typeof expiringUserTargetPatch>['instructions'][number]

/** What an instruction asks for, whichever way it names the target. */
export function expiryEditOf(instruction: Instruction): ExpiryEdit {
  const name = {
    place: instruction.targetType,
    contextKind: 'contextKey' in instruction ? instruction.contextKind : userKind,
    contextKey: 'contextKey' in instruction ? instruction.contextKey : instruction.userKey,
    version: instruction.version,
  }
  if (!('value' in instruction)) return { ...name, do: 'remove' }
  return { ...name, do: instruction.kind.startsWith('add') ? 'add' : 'update', expiresAt: instruction.value }
}

const expiringTarget = {
  _id: v.string(),
  _version: v.number(),
  expirationDate: timestamp(),
  targetType: v.string(),
  _resourceId: v.object({
    kind: v.string(),
    projectKey: v.string(),
    environmentKey: v.string(),
    key: v.string(),
  }),
}

const targetWire = v.object({ ...expiringTarget, contextKind: v.string(), contextKey: v.string() })
const userTargetWire = v.object({ ...expiringTarget, userKey: v.string() })

const listed = <Item extends v.GenericSchema>(item: Item) => ({ items: list(item), _links: links() })

/** What became of the instructions: all were followed, or the answer is an error. */
const followed = {
  totalInstructions: v.number(),
  successfulInstructions: v.number(),
  failedInstructions: v.number(),
  errors: list(v.object({ instructionIndex: v.number(), message: v.string() })),
}

export const expiringTargetsWire = v.object(listed(targetWire))
export const expiringUserTargetsWire = v.object(listed(userTargetWire))
export const patchedExpiringTargetsWire = v.object({ ...listed(targetWire), ...followed })
export const patchedExpiringUserTargetsWire = v.object({ ...listed(userTargetWire), ...followed })

/** Shows the dates of a segment's targets, the nearest first. */
export function presentExpiringTargets(
  context: ReadContext,
  keys: SegmentKeys,
  segment: Segment,
): v.InferOutput<typeof expiringTargetsWire> {
  const items = datesOf(context, segment).map((one) => ({
    ...presentOne(context, keys, one),
    contextKind: one.contextKind,
    contextKey: one.contextKey,
  }))
  return { items, _links: { self: linkTo(placeOf(keys, 'expiring-targets')) } }
}

/** The same for users alone, by the name that they have there. */
export function presentExpiringUserTargets(
  context: ReadContext,
  keys: SegmentKeys,
  segment: Segment,
): v.InferOutput<typeof expiringUserTargetsWire> {
  const items = datesOf(context, segment)
    .filter((one) => one.contextKind === userKind)
    .map((one) => ({ ...presentOne(context, keys, one), userKey: one.contextKey }))
  return { items, _links: { self: linkTo(placeOf(keys, 'expiring-user-targets')) } }
}

export function presentFollowed(count: number) {
  return { totalInstructions: count, successfulInstructions: count, failedInstructions: 0, errors: [] }
}

function datesOf({ now }: Pick<ReadContext, 'now'>, segment: Segment): readonly ExpiringTarget[] {
  const { expiringTargets = [] } = segmentAt(segment, now)
  return expiringTargets.toSorted((a, b) => a.expiresAt - b.expiresAt)
}

function presentOne({ wire }: Pick<ReadContext, 'wire'>, keys: SegmentKeys, one: ExpiringTarget) {
  const { projectKey, environmentKey, segmentKey } = keys
  return {
    _id: one.id,
    _version: one.version,
    expirationDate: wire.time(one.expiresAt),
    targetType: one.place,
    _resourceId: { kind: 'segment', projectKey, environmentKey, key: segmentKey },
  }
}

function placeOf({ projectKey, environmentKey, segmentKey }: SegmentKeys, what: string): string {
  return path`/api/v2/segments/${projectKey}/${segmentKey}/${what}/${environmentKey}`
}
