import type { Change, DocumentId, TouchedRecords } from '../port.ts'

/** A change notification as a listener receives it. */
export interface ParsedNotice {
  /** Identifies the storage object that committed. */
  readonly sender: string
  readonly account: string
  readonly touched: readonly TouchedRecords[] | 'anything'
}

/** Maximum size of a change notification: `pg_notify` of Postgres refuses 8000 bytes and more. */
const maxBytes = 7999

/** A touched record as the change notification contains it: a letter for its kind, and the parts of its address. */
type Entry = readonly [letter: string, ...address: string[]]

/**
 * Serializes a change notification. If it would be too long, it contains collections instead of their documents, or
 * `anything`.
 */
export function noticePayload({ sender, account, touched }: ParsedNotice): string {
  const text = (entries: readonly Entry[] | null) => JSON.stringify([sender, account, entries])
  if (touched === 'anything') return text(null)
  for (const candidates of [touched, touched.map(withoutKey)]) {
    const payload = text(distinct(candidates.map(entryOf)))
    if (new TextEncoder().encode(payload).length <= maxBytes) return payload
  }
  return text(null)
}

/**
 * Parses a change notification. Returns undefined for any other payload. If this version does not know one of the
 * entries, the notification is read as `anything`.
 */
export function parseNotice(payload: string): ParsedNotice | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(payload)
  } catch {
    return undefined
  }
  if (!Array.isArray(parsed)) return undefined
  const [sender, account, entries] = parsed as readonly unknown[]
  if (typeof sender !== 'string' || typeof account !== 'string') return undefined
  const touched = Array.isArray(entries) ? entries.map(touchedOf) : [undefined]
  return { sender, account, touched: touched.every((entry) => entry !== undefined) ? touched : 'anything' }
}

function withoutKey(touched: TouchedRecords): TouchedRecords {
  if (touched.kind !== 'document') return touched
  return { kind: 'collection', collection: touched.id.collection, scope: touched.id.scope }
}

function distinct(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()]
}

function entryOf(touched: TouchedRecords): Entry {
  switch (touched.kind) {
    case 'document':
      return ['d', touched.id.collection, touched.id.scope, touched.id.key]
    case 'collection':
      return ['c', touched.collection, touched.scope]
    case 'scope':
      return ['s', touched.scope]
    case 'keys':
      return ['m', touched.set.name, touched.set.scope]
    case 'samples':
      return ['a', touched.series.name, touched.series.scope]
    case 'tasks':
      return ['t', touched.queue.name, touched.queue.scope]
  }
}

function touchedOf(entry: unknown): TouchedRecords | undefined {
  if (!Array.isArray(entry) || !entry.every((part) => typeof part === 'string')) return undefined
  const [letter, first = '', scope = '', key = ''] = entry as readonly string[]
  const nameAndScope = { name: first, scope }
  switch (letter) {
    case 'd':
      return { kind: 'document', id: { collection: first, scope, key } satisfies DocumentId }
    case 'c':
      return { kind: 'collection', collection: first, scope }
    case 's':
      return { kind: 'scope', scope: first }
    case 'm':
      return { kind: 'keys', set: nameAndScope }
    case 'a':
      return { kind: 'samples', series: nameAndScope }
    case 't':
      return { kind: 'tasks', queue: nameAndScope }
    default:
      return undefined
  }
}

/**
 * Returns true when other processes must be notified of a batch. The outcome of a task concerns only the process that
 * has leased it.
 */
export function concernsOtherProcesses(batch: readonly Change[]): boolean {
  return batch.some(({ do: verb }) => verb !== 'expect' && verb !== 'finish' && verb !== 'postpone')
}
