import { type Change, type CommitOutcome, type DocumentId, isUnder, type StoredRecord, tasksAhead } from '@halyard/core'
import type { AccountData } from './account-data.ts'
import { type Documents, findDocument } from './documents.ts'
import { isTaken } from './load.ts'

type Refusal = Exclude<CommitOutcome, { outcome: 'committed' }>

/**
 * Finds the first change of a batch whose precondition does not hold in the state that the changes before it
 * leave, without writing anything: what passes here is applied and needs no way back.
 */
export function findRefusal(data: AccountData, batch: readonly Change[]): Refusal | undefined {
  const versions = versionsAhead(data.documents)
  const queues = data.queues.byScope
  const tasks = tasksAhead(({ name, scope }, task) => queues.find(name, scope)?.tasks.get(task)?.takes)
  const loaded = { met: new Set<string>(), cleared: [] as string[] }
  for (const [change, one] of batch.entries()) {
    if (one.do === 'clear') {
      versions.clear(one.scope)
      tasks.clear(one.scope)
      loaded.cleared.push(one.scope)
    }
    const outcome = refusalAhead(one)
    if (outcome) return { outcome, change }
    if ('id' in one && one.do !== 'expect') versions.set(one.id, versionAfter(one, versions.of(one.id)))
  }
  return undefined

  function isThere(record: StoredRecord): boolean {
    if (record.kind !== 'document') return isTaken(data, record, loaded)
    const there = versions.of(record.id) !== undefined
    versions.set(record.id, record.version)
    return there
  }

  function refusalAhead(one: Change): Refusal['outcome'] | undefined {
    if (one.do === 'load') return one.records.some(isThere) ? 'exists' : undefined
    if ('queue' in one) return tasks.refusalOf(one)
    return 'id' in one ? refusalOf(one, versions.of(one.id)) : undefined
  }
}

type DocumentChange = Extract<Change, { id: DocumentId }>

function refusalOf(change: DocumentChange, version: number | undefined): Refusal['outcome'] | undefined {
  if (change.do === 'ensure' || change.do === 'discard') return undefined
  if (change.do === 'insert') return version === undefined ? undefined : 'exists'
  if (version === undefined) return 'missing'
  return version === change.version ? undefined : 'conflict'
}

function versionAfter(change: DocumentChange, version: number | undefined): number | undefined {
  if (change.do === 'insert') return 1
  if (change.do === 'ensure') return version ?? 1
  return change.do === 'replace' ? change.version + 1 : undefined
}

/** The versions of documents as they will be after the changes looked at so far. */
function versionsAhead(documents: Documents) {
  const ahead = new Map<string, { scope: string; version: number | undefined }>()
  const cleared: string[] = []
  return {
    of(id: DocumentId) {
      const planned = ahead.get(placeOf(id))
      if (planned) return planned.version
      if (cleared.some((scope) => isUnder(id.scope, scope))) return undefined
      return findDocument(documents, id)?.version
    },
    set(id: DocumentId, version: number | undefined) {
      ahead.set(placeOf(id), { scope: id.scope, version })
    },
    clear(ancestor: string) {
      cleared.push(ancestor)
      for (const [place, { scope }] of ahead) {
        if (isUnder(scope, ancestor)) ahead.delete(place)
      }
    },
  }
}

// With the lengths in front no two documents share a place, whatever characters their parts hold.
function placeOf({ collection, scope, key }: DocumentId): string {
  return `${collection.length}:${scope.length}:${collection}${scope}${key}`
}
