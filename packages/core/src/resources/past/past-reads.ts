import { changeLog, type LogPosition } from '../../operation/change-log/change-log.ts'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import type { Versioned } from '../../storage/collection.ts'
import type { AccountStorage, NewestQuery, RecentReads, Sample, SetId, StoredRecord } from '../../storage/port.ts'
import { collectionFinder } from '../back-ups/collection-of.ts'
import { storedCollections } from '../generated/stored-collections.ts'
import { ChangeHistory } from './change-history.ts'
import type { Moment, MomentName } from './moment.ts'
import { comparePositions } from './past-change.ts'
import { documentName, PastDocuments, type PastParts } from './past-documents.ts'
import { referenceKeys } from './reference-sets.ts'

/** The reads of an account in a past state. */
export type PastReads = RecentReads & Pick<AccountStorage, 'dump'>

/** Returns the reads of an account at a moment. The name identifies the moment in error messages. */
export type PastReadsAt = (moment: Moment, name: MomentName) => PastReads

/**
 * Makes the function that returns the reads of an account at a moment. All of them share the entries that they have
 * read from the change log.
 */
export function pastReadsAt(stored: AccountStorage): PastReadsAt {
  const history = new ChangeHistory(stored)
  const collectionOf = collectionFinder(storedCollections)
  const unlogged = new Set(storedCollections.flatMap(({ name, createdAt }) => (createdAt ? [name] : [])))
  return (moment, name) => pastReads({ stored, history, collectionOf, unlogged, moment, name })
}

/**
 * Returns the reads of an account as it was at a moment: each document is the stored one with the later changes undone
 * (docs/decisions/0094-read-the-past-by-undoing-later-changes.md). The current state is returned for key sets (except
 * references of flags), and for documents and secrets that the change log does not contain.
 *
 * @throws ApiError `invalid_request`, by each function, when the change log does not lead back to the moment.
 */
function pastReads(parts: PastParts): PastReads {
  const { stored, moment } = parts
  const documentsAt = new PastDocuments(parts)
  const keysOf = (set: SetId) => referenceKeys(parts, documentsAt, set)
  return {
    get: async (id) => (await documentsAt.getMany([id]))[0],
    getMany: (ids) => documentsAt.getMany(ids),
    list: (query) => documentsAt.list(query),
    hasKey: async (set, key) => (await keysOf(set))?.includes(key) ?? stored.hasKey(set, key),
    findKeys: async (set, keys) =>
      (await keysOf(set))?.filter((key) => keys.includes(key)) ?? stored.findKeys(set, keys),
    countKeys: async (set, without) => (await keysOf(set))?.length ?? stored.countKeys(set, without),
    pageKeys: async (set, { after, limit }) =>
      (await keysOf(set))?.filter((key) => after === undefined || compareCodePoints(key, after) > 0).slice(0, limit) ??
      stored.pageKeys(set, { ...(after === undefined ? {} : { after }), limit }),
    scan: (query) => stored.scan({ ...query, to: Math.max(query.from, Math.min(query.to, moment.time + 1)) }),
    newest: (query) => newestBefore(stored, query, endOf(query, moment)),
    dump: () => dumpAt(parts, documentsAt),
  }
}

/** Returns the position at which a series ends in the past state. */
function endOf({ series }: NewestQuery, { time, end }: Moment): LogPosition {
  const { name, scope } = changeLog.id({})
  return series.name === name && series.scope === scope ? end : { at: time + 1, id: '' }
}

async function newestBefore(stored: AccountStorage, query: NewestQuery, end: LogPosition): Promise<Sample[]> {
  if (query.since) return (await stored.newest(query)).filter((sample) => comparePositions(sample, end) < 0)
  const { before } = query
  return stored.newest({ ...query, before: before && comparePositions(before, end) < 0 ? before : end })
}

/** Yields the records of an account as they were, in the order of a dump, without tasks. */
async function* dumpAt(
  { stored, history, collectionOf, moment, name }: PastParts,
  documents: PastDocuments,
): AsyncGenerator<readonly StoredRecord[]> {
  const current = new Map<string, Extract<StoredRecord, { kind: 'document' }>>()
  let isWritten = false
  async function* pastDocuments(): AsyncGenerator<readonly StoredRecord[]> {
    isWritten = true
    await history.reach(moment, name)
    const ids = new Map(
      [...history.changed(moment), ...[...current.values()].map(({ id }) => id)].map((id) => [documentName(id), id]),
    )
    const records = [...ids].flatMap(([key, id]): StoredRecord[] => {
      const record = current.get(key)
      const document = documents.before(id, record && { ...id, version: record.version, body: record.body })
      if (!document) return []
      const { version, body } = document
      if (record && record.body === body) return [record]
      const withheld = documents.withheld(id)
      const fields = collectionOf(id)?.fields(body as Versioned) ?? {}
      return [{ kind: 'document', id, version, body, fields, ...(withheld.length > 0 && { withheld }) }]
    })
    if (records.length > 0) yield records.sort(compareRecords)
  }
  for await (const chunk of stored.dump()) {
    for (const record of chunk) if (record.kind === 'document') current.set(documentName(record.id), record)
    const others = chunk.filter(({ kind }) => kind !== 'document')
    if (others.length === 0) continue
    if (!isWritten) yield* pastDocuments()
    const past = others.filter((record) => isBefore(record, moment))
    if (past.length > 0) yield past
  }
  if (!isWritten) yield* pastDocuments()
}

function isBefore(record: StoredRecord, moment: Moment): boolean {
  if (record.kind !== 'sample') return record.kind === 'member'
  const { series, sample } = record
  return comparePositions(sample, endOf({ series, limit: 0 }, moment)) < 0
}

function compareRecords(a: StoredRecord, b: StoredRecord): number {
  if (a.kind !== 'document' || b.kind !== 'document') return 0
  return (
    compareCodePoints(a.id.collection, b.id.collection) ||
    compareCodePoints(a.id.scope, b.id.scope) ||
    compareCodePoints(a.id.key, b.id.key)
  )
}
