import * as v from 'valibot'
import type { Wire } from '../../operation/context.ts'
import { links, list, moment, text, timestamp } from '../../operation/schema.ts'
import type { ExpiringTarget, ExpiryEdit, ExpiryFault } from '../../rules/expiring-targets/expiring-targets.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { contextKind } from './clause-wire.ts'

const version = () => v.optional(v.pipe(v.number(), v.integer('must be an integer')))

/** A semantic patch of dates; there is no other one, so the media type need not say so (D12). */
function patchOf<const Kind extends string, const Target extends v.ObjectEntries>(
  [add, update, remove]: readonly [Kind, Kind, Kind],
  target: Target,
) {
  const instruction = v.variant('kind', [
    v.strictObject({ kind: v.literal(add), ...target, value: moment(), version: version() }),
    v.strictObject({ kind: v.literal(update), ...target, value: moment(), version: version() }),
    v.strictObject({ kind: v.literal(remove), ...target, version: version() }),
  ])
  return v.strictObject({
    comment: v.optional(text()),
    instructions: v.pipe(list(instruction), v.maxLength(1000, 'must hold at most 1000 instructions')),
  })
}

/**
 * What a caller says about the dates of targets of any kind of context.
 *
 * @param place the member that names the list which the target is in.
 * @param key what the key of a context is.
 */
export function expiringTargetPatch<const Place extends v.ObjectEntries, Key extends v.GenericSchema>(
  place: Place,
  key: Key,
) {
  const target = { ...place, contextKind: v.optional(contextKind(), userKind), contextKey: key }
  return patchOf(['addExpiringTarget', 'updateExpiringTarget', 'removeExpiringTarget'], target)
}

/** The same of users. */
export function expiringUserTargetPatch<const Place extends v.ObjectEntries, Key extends v.GenericSchema>(
  place: Place,
  key: Key,
) {
  const target = { ...place, userKey: key }
  return patchOf(['addExpireUserTargetDate', 'updateExpireUserTargetDate', 'removeExpireUserTargetDate'], target)
}

/** An instruction of either patch, whatever it calls the list. */
export interface ExpiryInstruction {
  readonly kind: string
  readonly contextKind?: string
  readonly contextKey?: string
  readonly userKey?: string
  readonly value?: number
  readonly version?: number
}

/** What an instruction asks for. */
export function expiryEditOf(place: string, instruction: ExpiryInstruction): ExpiryEdit {
  const { kind, contextKey, userKey, version: wanted, value } = instruction
  const name = {
    place,
    contextKind: instruction.contextKind ?? userKind,
    contextKey: (contextKey ?? userKey) as string,
    version: wanted,
  }
  if (value === undefined) return { ...name, do: 'remove' }
  return { ...name, do: kind.startsWith('add') ? 'add' : 'update', expiresAt: value }
}

/** The member of an instruction that a fault is about. */
export function faultyMember({ attribute }: ExpiryFault, { userKey }: ExpiryInstruction): string {
  if (attribute === 'expiresAt') return 'value'
  return attribute === 'contextKey' && userKey !== undefined ? 'userKey' : attribute
}

/** What is shown of every date, beside where its target is. */
export const expiryWire = {
  _id: v.string(),
  _version: v.number(),
  expirationDate: timestamp(),
  _resourceId: v.object({
    kind: v.string(),
    projectKey: v.string(),
    environmentKey: v.string(),
    key: v.string(),
  }),
}

/** A target by kind and key of its context, and a user by key alone. */
export const contextNameWire = { contextKind: v.string(), contextKey: v.string() }
export const userNameWire = { userKey: v.string() }

type ResourceId = v.InferOutput<(typeof expiryWire)['_resourceId']>

export function presentExpiry(
  { time }: Wire,
  _resourceId: ResourceId,
  { id, version: _version, expiresAt }: ExpiringTarget,
) {
  return { _id: id, _version, expirationDate: time(expiresAt), _resourceId }
}

/** The nearest first. */
export function byDate(targets: readonly ExpiringTarget[]): readonly ExpiringTarget[] {
  return targets.toSorted((a, b) => a.expiresAt - b.expiresAt)
}

/** An answer with dates, and one that also tells what became of instructions. */
export const listedExpiries = <Item extends v.GenericSchema>(item: Item) =>
  v.object({ items: list(item), _links: links() })

export const patchedExpiries = <Item extends v.GenericSchema>(item: Item) =>
  v.object({
    ...listedExpiries(item).entries,
    totalInstructions: v.number(),
    successfulInstructions: v.number(),
    failedInstructions: v.number(),
    errors: list(v.object({ instructionIndex: v.number(), message: v.string() })),
  })

/** What became of instructions where the answer is no error: all were followed (D12). */
export function presentFollowed(count: number) {
  return { totalInstructions: count, successfulInstructions: count, failedInstructions: 0, errors: [] }
}
