import type { Sample } from '@halyard/core/storage'
import fjp, { type Operation } from 'fast-json-patch'

interface Entry {
  readonly operation: string
  readonly changes: readonly Change[]
  readonly removed?: readonly { readonly kind: string; readonly document: string }[]
}

interface Change {
  readonly kind: string
  readonly resource: string
  readonly document?: string
  readonly patch: readonly Operation[]
  readonly inverse: readonly Operation[]
  readonly members?: unknown
}

/** Documents that other systems report in batches. The change log has one entry for each batch. */
export const ingestedCollection = 'deployment'

/** Documents by kind and address. */
export type ReplayedState = ReadonlyMap<string, unknown>

/**
 * Applies the entries of a change log, oldest first, to the documents that existed before.
 *
 * An entry has the time at which its commit began. It may therefore be listed before an entry of another process that
 * was committed earlier. An entry is applied as soon as the versions of its documents fit. A deletion may also be
 * listed before a change of a document that it deleted; that change is then ignored.
 *
 * @throws Error when the entries of a document do not follow from each other.
 */
export function replayedEntries(entries: readonly Sample[], initial: ReplayedState): ReplayedState {
  const state = new Map(initial)
  const deleted = new Set<string>()
  let waiting: Entry[] = []
  for (const { body } of entries) {
    waiting.push(body as Entry)
    for (let count = waiting.length + 1; waiting.length < count && waiting.length > 0; ) {
      count = waiting.length
      waiting = waiting.filter((entry) => !isDeletedWith(deleted, entry) && !applyEntry(state, deleted, entry))
    }
  }
  const [stuck] = waiting
  if (stuck) throw new Error(`${waiting.length} entries do not follow from the others, e.g. ${JSON.stringify(stuck)}`)
  return state
}

const documentsOf = ({ changes }: Entry) =>
  changes.filter(({ members, kind }) => !members && kind !== ingestedCollection)

/** Returns true when everything that an entry changed lies under addresses that are deleted and not made again. */
function isDeletedWith(deleted: ReadonlySet<string>, entry: Entry): boolean {
  const documents = documentsOf(entry)
  return (
    documents.length > 0 && documents.every((change) => ancestorsOf(change).some((address) => deleted.has(address)))
  )
}

/** Returns the addresses under which the document of a change lies, e.g. `proj/web` for `proj/web:view/a`. */
function ancestorsOf({ document, resource }: Change): string[] {
  const levels = (document ?? resource).split(':')
  return levels.slice(1).map((_, index) => levels.slice(0, index + 1).join(':'))
}

/** Applies an entry when its documents have the versions that it started from. Returns false otherwise. */
function applyEntry(state: Map<string, unknown>, deleted: Set<string>, entry: Entry): boolean {
  const documents = documentsOf(entry)
  if (!documents.every((change) => follows(state.get(nameOf(change)), change))) return false
  for (const change of documents) {
    const after = applied(state.get(nameOf(change)), change.patch)
    const address = change.document ?? change.resource
    if (after === undefined) {
      deleteWithContents(state, deleted, change)
    } else {
      state.set(nameOf(change), after)
      for (const other of deleted) if (covers(address, other)) deleted.delete(other)
    }
  }
  for (const { kind, document } of entry.removed ?? []) state.delete(nameOfDocument(kind, document))
  return true
}

/**
 * Returns true for an address itself. For an address in all environments it also returns true for the addresses in
 * single environments: when a flag is created again, it has configurations, which are stored only when they are
 * changed.
 */
function covers(address: string, other: string): boolean {
  const levels = other.split(':')
  return address
    .split(':')
    .every((level, index, { length }) => length === levels.length && (level === 'env/*' || level === levels[index]))
}

/**
 * Deletes a document and everything under its address. This includes documents that another call created there between
 * the reads of the deletion and its commit. The entry does not list those documents.
 */
function deleteWithContents(state: Map<string, unknown>, deleted: Set<string>, change: Change): void {
  state.delete(nameOf(change))
  // A release has the address of its flag, whose documents remain.
  if (change.kind === 'release') return
  const address = change.document ?? change.resource
  deleted.add(address)
  for (const name of [...state.keys()]) {
    const scope = name.split('\n')[1] ?? ''
    if (scope === address || scope.startsWith(`${address}:`)) state.delete(name)
  }
}

function nameOf({ kind, document, resource }: Change): string {
  return nameOfDocument(kind, document ?? resource)
}

/** Returns the name of a document in the state: its collection, scope and key. */
function nameOfDocument(kind: string, address: string): string {
  const end = address.lastIndexOf(':')
  const last = address.slice(end + 1)
  // A kind without a key, such as `ip-allowlist`, has no slash.
  const key = last.includes('/') ? decodeURIComponent(last.slice(last.indexOf('/') + 1)) : ''
  return `${kind}\n${address.slice(0, Math.max(end, 0))}\n${key}`
}

/**
 * Returns true when a change follows from a state: its inverse restores that state. The version may be higher than the
 * version of the state, because the change log does not list writes that leave a document unchanged.
 */
function follows(document: unknown, { patch, inverse }: Change): boolean {
  const isNew = patch[0]?.path === '' && patch[0].op === 'add'
  if (isNew || document === undefined) return isNew && document === undefined
  try {
    const restored = applied(applied(document, patch), inverse)
    return versionOf(document) <= versionOf(restored) && withoutVersion(restored) === withoutVersion(document)
  } catch {
    return false
  }
}

function versionOf(document: unknown): number {
  return (document as { readonly version: number }).version
}

/** Returns the content of a document as text. */
export function withoutVersion(document: unknown): string {
  return JSON.stringify(document, (name, value: unknown) => {
    if (name === 'version' && typeof value === 'number') return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

function applied(value: unknown, patch: readonly Operation[]): unknown {
  const [first] = patch
  if (first?.path === '') return first.op === 'remove' ? undefined : copyOf((first as { value: unknown }).value)
  return fjp.applyPatch(copyOf(value), copyOf(patch) as Operation[]).newDocument
}

/** Returns a copy in which no object occurs twice, as it may in an entry in memory. */
function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
