import { addressOf } from '../../rules/address.ts'
import { type JsonDelta, jsonDelta } from '../../rules/json-delta.ts'
import type { WrittenDocument } from '../../storage/changed-document.ts'
import { series, type Versioned } from '../../storage/collection.ts'
import type { Sample } from '../../storage/port.ts'
import type { NotedMembership } from '../../storage/writer.ts'
import type { Caller } from '../caller.ts'
import type { ChangeLogEntry, Demanded, LoggedChange } from './change-log-entry.ts'
import { entryTerms } from './change-log-terms.ts'

/** What every call changed, one entry for each call that changed something. */
export const changeLog = series({ name: 'change-log', address: 'acct' })

export interface ChangeToLog {
  readonly operation: string
  /** What the operation does, in words. */
  readonly summary: string
  /** The action that let the caller in. */
  readonly granted: string
  /** Actions that the handler asked besides, those of viewing left out. */
  readonly demanded: readonly Demanded[]
  readonly caller: Caller
  readonly comment: string | undefined
  /** Where the entry will stand; asked once there is one. */
  readonly place: () => LogPosition
  readonly written: readonly WrittenDocument[]
  readonly noted: readonly NotedMembership[]
  /** Actions that the members which differ need, by document. */
  actionsOf(written: WrittenDocument): readonly string[]
}

/** The entry of a call, or undefined where nothing that callers change was changed. */
export async function changeLogEntry(change: ChangeToLog): Promise<Sample | undefined> {
  const written = directFirst(change)
  const [main = mainOf(change.noted[0])] = written
  if (!main) return undefined
  const changes = withActions(change, [
    ...written.map((one) => ({ ...loggedChange(change, one), ...deltaIn(one) })),
    ...change.noted.map((noted) => loggedMembership(change, noted)),
  ])
  const { id, memberId, tokenId } = change.caller
  const body: ChangeLogEntry = {
    operation: change.operation,
    // The rest of a summary says what is special about it.
    description: change.summary.split(/[;:(]/)[0]?.trim() ?? '',
    kind: main.collection.name,
    name: nameOf(main),
    verb: verbOf(change, main),
    caller: { id, ...(memberId ? { memberId } : {}), ...(tokenId ? { tokenId } : {}) },
    ...(change.comment ? { comment: change.comment } : {}),
    changes,
    ...besides(change.demanded, changes),
  }
  return { ...change.place(), label: (changes[0] as LoggedChange).resource, values: [], body, terms: entryTerms(body) }
}

/** Where no member that changed needs an action, what the call is about needed the one that let the caller in. */
function withActions(change: ChangeToLog, changes: readonly LoggedChange[]): readonly LoggedChange[] {
  const [main, ...others] = changes
  if (!main || changes.some(({ actions }) => actions.length > 0)) return changes
  return [{ ...main, actions: wholeActions(change, main.resource) }, ...others]
}

/** What was demanded and stands with no change, each once. */
function besides(demanded: readonly Demanded[], changes: readonly LoggedChange[]): Pick<ChangeLogEntry, 'besides'> {
  const told = new Set(changes.flatMap(({ actions }) => actions))
  const more = new Map(
    demanded.filter(({ action }) => !told.has(action)).map((one) => [`${one.action} ${one.resource}`, one]),
  )
  return more.size > 0 ? { besides: [...more.values()] } : {}
}

/** What it takes to make or remove a thing: what was asked about just that, or else what let the caller in. */
function wholeActions({ demanded, granted }: ChangeToLog, resource: string): readonly string[] {
  const asked = demanded.filter((one) => one.resource === resource).map(({ action }) => action)
  return asked.length > 0 ? [...new Set(asked)] : [demanded[0]?.action ?? granted]
}

/** What the caller did stands before what followed from it: the first tells what the call was about. */
function directFirst(change: ChangeToLog): readonly WrittenDocument[] {
  const isDirect = (one: WrittenDocument) => !one.before || !one.after || change.actionsOf(one).length > 0
  return [...change.written.filter(isDirect), ...change.written.filter((one) => !isDirect(one))]
}

function loggedChange(change: ChangeToLog, written: WrittenDocument): Omit<LoggedChange, keyof JsonDelta> {
  const { collection, keys, before, after } = written
  // What was a default until now is stored for the first time, and yet it is changed and not made.
  const asked = change.actionsOf(written)
  const resource = addressOf(collection.resource(keys, after ?? before))
  const actions = asked.length > 0 || (before && after) ? asked : wholeActions(change, resource)
  return { resource, kind: collection.name, actions }
}

function deltaIn({ collection: { secrets }, before, after }: WrittenDocument): JsonDelta {
  return jsonDelta(withoutSecrets(before, secrets), withoutSecrets(after, secrets))
}

function mainOf(noted: NotedMembership | undefined): WrittenDocument | undefined {
  return noted && { ...noted, before: noted.document, after: noted.document }
}

function loggedMembership(change: ChangeToLog, noted: NotedMembership): LoggedChange {
  const { collection, keys, document, set, added = [], removed = [] } = noted
  const resource = addressOf(collection.resource(keys, document))
  return {
    resource,
    kind: collection.name,
    actions: noted.action === undefined ? wholeActions(change, resource) : [noted.action],
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

function verbOf(change: ChangeToLog, main: WrittenDocument): 'created' | 'updated' | 'deleted' {
  if (!main.after) return 'deleted'
  return main.before || change.actionsOf(main).length > 0 ? 'updated' : 'created'
}

function nameOf({ collection, keys, before, after }: WrittenDocument): string {
  const { name, key, id } = (after ?? before) as { name?: string; key?: string; id?: string }
  return name || key || id || collection.resource(keys, after ?? before).at(-1)?.key || ''
}

/** The position of an entry in the change log, which is ordered by time, then id. */
export interface LogPosition {
  /** Integer milliseconds, UTC. */
  readonly at: number
  readonly id: string
}

/** Digits of the counter in base 36: enough for a million entries a second for a month. */
const counterDigits = 8

/** Random bytes that tell the entries of one engine from those of all others. */
const engineIdBytes = 8

/**
 * Assigns positions to the entries of one engine.
 *
 * Its time never goes back, and the entries of one millisecond are counted, so an entry that is made after another comes
 * after it whatever the clock does. A random part tells engines apart, and the entries of two engines are ordered by their
 * clocks.
 */
export class LogOrder {
  readonly #host: { randomHex(bytes: number): string }
  #engineId: string | undefined
  #count = 0
  #latest = Number.NEGATIVE_INFINITY

  /** @param host makes the random part, once there is an entry. */
  constructor(host: { randomHex(bytes: number): string }) {
    this.#host = host
  }

  /**
   * Returns the position after all that were assigned before.
   *
   * @param now when the call began, integer milliseconds, UTC.
   */
  next(now: number): LogPosition {
    this.#engineId ??= this.#host.randomHex(engineIdBytes)
    this.#latest = Math.max(this.#latest, now)
    return { at: this.#latest, id: `${(this.#count++).toString(36).padStart(counterDigits, '0')}${this.#engineId}` }
  }

  /** Allows the clock to go back once. An id is still never assigned twice. */
  restart(): void {
    this.#latest = Number.NEGATIVE_INFINITY
  }
}
