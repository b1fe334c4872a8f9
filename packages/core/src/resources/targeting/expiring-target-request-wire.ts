import * as v from 'valibot'
import { list, moment, text } from '../../operation/schema.ts'
import type { ExpiryEdit } from '../../rules/expiring-targets/expiring-targets.ts'
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

/** A patch of dates, whose instructions name the list of a target by a property of this name. */
export interface ExpiryRequest<ListName extends string> {
  readonly comment?: string
  readonly instructions: readonly (ExpiryInstruction & { readonly [Name in ListName]: string })[]
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
