import { addressOf } from '../rules/address.ts'
import { type JsonDelta, jsonDelta } from '../rules/json-delta.ts'
import { series, type Versioned } from '../storage/collection.ts'
import type { Sample } from '../storage/port.ts'
import type { Membership, NotedMembership } from '../storage/writer.ts'
import type { WrittenDocument } from '../storage/written-documents.ts'
import type { Caller } from './caller.ts'
import { entryTerms } from './change-log-terms.ts'
import type { LogPlace } from './log-order.ts'

/** What every call changed, one entry for each call that changed something. */
export const changeLog = series({ name: 'change-log', address: 'acct' })

/** An entry as it is stored; its id and time are those of its sample, its label the address of what it is about. */
export interface ChangeLogEntry {
  /** Id of the operation, e.g. `patchFlag`. */
  readonly operation: string
  /** What the operation does, in words. */
  readonly description?: string
  /** The kind of thing that it is about, e.g. `flag`. */
  readonly kind: string
  readonly name: string
  readonly caller: { readonly id: string; readonly memberId?: string; readonly tokenId?: string }
  readonly comment?: string
  readonly changes: readonly LoggedChange[]
}

/** What happened to one thing: its address, the actions that the change needed, and the change itself, without secrets. */
export interface LoggedChange extends JsonDelta {
  readonly resource: string
  readonly kind: string
  readonly actions: readonly string[]
  /** What came to a set of the thing or left it, where it is kept beside the document. */
  readonly members?: Required<Omit<Membership, 'action'>>
}

export interface ChangeToLog {
  readonly operation: string
  /** What the operation does, in words. */
  readonly summary: string
  /** The action that the operation as a whole needs: that of things that it makes or removes. */
  readonly action: string
  readonly caller: Caller
  readonly comment: string | undefined
  /** Where the entry will stand; asked once there is one. */
  readonly place: () => LogPlace
  readonly written: readonly WrittenDocument[]
  readonly noted: readonly NotedMembership[]
  /** Actions that the members which differ need, by document. */
  actionsOf(written: WrittenDocument): readonly string[]
}

/** The entry of a call, or undefined where nothing that callers change was changed. */
export function changeLogEntry(change: ChangeToLog): Sample | undefined {
  const written = directFirst(change)
  const [main = mainOf(change.noted[0])] = written
  if (!main) return undefined
  const changes = [
    ...written.map((one) => loggedChange(change, one)),
    ...change.noted.map((noted) => loggedMembership(change, noted)),
  ]
  const { id, memberId, tokenId } = change.caller
  const body: ChangeLogEntry = {
    operation: change.operation,
    // The rest of a summary says what is special about it.
    description: change.summary.split(/[;:(]/)[0]?.trim() ?? '',
    kind: main.collection.name,
    name: nameOf(main),
    caller: { id, ...(memberId ? { memberId } : {}), ...(tokenId ? { tokenId } : {}) },
    ...(change.comment ? { comment: change.comment } : {}),
    changes,
  }
  return { ...change.place(), label: (changes[0] as LoggedChange).resource, values: [], body, terms: entryTerms(body) }
}

/** What the caller did stands before what followed from it: the first tells what the call was about. */
function directFirst(change: ChangeToLog): readonly WrittenDocument[] {
  const isDirect = (one: WrittenDocument) => !one.before || !one.after || change.actionsOf(one).length > 0
  return [...change.written.filter(isDirect), ...change.written.filter((one) => !isDirect(one))]
}

function loggedChange(change: ChangeToLog, written: WrittenDocument): LoggedChange {
  const { collection, keys, before, after } = written
  // What was a default until now is stored for the first time, and yet it is changed and not made.
  const asked = change.actionsOf(written)
  const actions = asked.length > 0 || (before && after) ? asked : [change.action]
  return {
    resource: addressOf(collection.resource(keys, after ?? before)),
    kind: collection.name,
    actions,
    ...jsonDelta(withoutSecrets(before, collection.secrets), withoutSecrets(after, collection.secrets)),
  }
}

function mainOf(noted: NotedMembership | undefined): WrittenDocument | undefined {
  return noted && { ...noted, before: noted.document, after: noted.document }
}

function loggedMembership(change: ChangeToLog, noted: NotedMembership): LoggedChange {
  const { collection, keys, document, set, action = change.action, added = [], removed = [] } = noted
  return {
    resource: addressOf(collection.resource(keys, document)),
    kind: collection.name,
    actions: [action],
    patch: [],
    inverse: [],
    members: { set, added, removed },
  }
}

/** A member that is undefined is not there once it is stored, so it is not in the log either. */
function withoutSecrets(document: Versioned | undefined, secrets: readonly PropertyKey[]) {
  if (!document) return undefined
  const shown = Object.entries(document).filter(([name, value]) => value !== undefined && !secrets.includes(name))
  return Object.fromEntries(shown)
}

function nameOf({ before, after }: WrittenDocument): string {
  const { name, key, id } = (after ?? before) as { name?: string; key?: string; id?: string }
  return name || key || id || ''
}
