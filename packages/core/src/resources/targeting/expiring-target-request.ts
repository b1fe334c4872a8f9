import * as v from 'valibot'
import { list, moment, text } from '../../operation/schema.ts'
import type { ExpiryEdit } from '../../rules/expiring-targets/expiring-targets.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { contextKind } from './clause-schema.ts'

const version = () => v.optional(v.pipe(v.number(), v.integer('must be an integer')))

/**
 * Schema of a semantic patch of expiry dates. There is no other kind of patch here, so the media type does not have to
 * name the kind (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 */
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
    instructions: v.pipe(list(instruction), v.maxLength(1000, 'must contain at most 1000 instructions')),
  })
}

/**
 * Schema of a patch of the expiry dates of targets of any context kind.
 *
 * @param listProperty schema of the property that names the list which contains the target.
 * @param key schema of the key of a context.
 */
export function expiringTargetPatch<const ListProperty extends v.ObjectEntries, Key extends v.GenericSchema>(
  listProperty: ListProperty,
  key: Key,
) {
  const target = { ...listProperty, contextKind: v.optional(contextKind(), userKind), contextKey: key }
  return patchOf(['addExpiringTarget', 'updateExpiringTarget', 'removeExpiringTarget'], target)
}

/** Schema of a patch of the expiry dates of user targets. */
export function expiringUserTargetPatch<const ListProperty extends v.ObjectEntries, Key extends v.GenericSchema>(
  listProperty: ListProperty,
  key: Key,
) {
  return patchOf(userKinds, { ...listProperty, userKey: key })
}

/**
 * Schema of a patch of the expiry dates of one user, whom the path names.
 *
 * @param properties schemas of the properties that name the resource, and the list in it which contains the user.
 */
export function expiringTargetsOfUserPatch<const Properties extends v.ObjectEntries>(properties: Properties) {
  return patchOf(userKinds, properties)
}

const userKinds = ['addExpireUserTargetDate', 'updateExpireUserTargetDate', 'removeExpireUserTargetDate'] as const

/**
 * An instruction about an expiry date, for a context of any kind or for a user, without the property that names the
 * list.
 */
export interface ExpiryInstruction {
  readonly kind: string
  readonly contextKind?: string
  readonly contextKey?: string
  readonly userKey?: string
  readonly value?: number
  readonly version?: number
}

/** A semantic patch of expiry dates. `ListName`: the property of its instructions that names the list of a target. */
export interface ExpiryRequest<ListName extends string> {
  readonly comment?: string
  readonly instructions: readonly (ExpiryInstruction & { readonly [Name in ListName]: string })[]
}

/** Returns the edit of the expiry dates that an instruction describes. */
export function expiryEditOf(listName: string, instruction: ExpiryInstruction): ExpiryEdit {
  const { kind, contextKey, userKey, version: expectedVersion, value } = instruction
  const target = {
    place: listName,
    contextKind: instruction.contextKind ?? userKind,
    contextKey: (contextKey ?? userKey) as string,
    version: expectedVersion,
  }
  if (value === undefined) return { ...target, do: 'remove' }
  return { ...target, do: kind.startsWith('add') ? 'add' : 'update', expiresAt: value }
}
