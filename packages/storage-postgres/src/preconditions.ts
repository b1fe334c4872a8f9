import {
  type Change,
  type CommitOutcome,
  type DocumentId,
  isUnder,
  type TaskChange,
  taskBatch,
} from '@halyard/core/storage'
import type { DocumentChange } from './document-changes.ts'

export type Refusal = Exclude<CommitOutcome, { outcome: 'committed' }>

/**
 * Finds the first change whose precondition is false.
 *
 * @param versions by change, before the batch: the version of its document, undefined where none exists.
 * @param takes returns how often a task had been taken before the batch, undefined where none exists.
 */
export function findRefusal(
  batch: readonly Change[],
  versions: readonly (number | undefined)[],
  takes: Parameters<typeof taskBatch>[0],
): Refusal | undefined {
  const tasks = taskBatch(takes)
  const ahead = new Map<string, { id: DocumentId; version: number | undefined }>()
  for (const [change, one] of batch.entries()) {
    if (isDocumentChange(one) && !ahead.has(addressOf(one.id))) {
      ahead.set(addressOf(one.id), { id: one.id, version: versions[change] })
    }
  }
  for (const [change, one] of batch.entries()) {
    if (isTaskChange(one)) {
      const outcome = tasks.refusalOf(one)
      if (outcome) return { outcome, change }
    }
    if (one.do === 'clear') {
      tasks.clear(one.scope)
      for (const place of ahead.values()) if (isUnder(place.id.scope, one.scope)) place.version = undefined
    }
    const place = isDocumentChange(one) ? ahead.get(addressOf(one.id)) : undefined
    if (!isDocumentChange(one) || place === undefined) continue
    const outcome = refusalOf(one, place.version)
    if (outcome) return { outcome, change }
    place.version = versionAfter(one, place.version)
  }
  return undefined
}

/** Tests whether a change concerns one document. */
export function isDocumentChange(change: Change): change is DocumentChange {
  return 'id' in change
}

/** Tests whether a change concerns tasks. */
export function isTaskChange(change: Change): change is TaskChange {
  return 'queue' in change
}

/**
 * Returns one text for each document. No two documents share one, because the lengths at the start separate the parts.
 */
export function addressOf({ collection, scope, key }: DocumentId): string {
  return `${collection.length}:${scope.length}:${collection}${scope}${key}`
}

function refusalOf(change: DocumentChange, version: number | undefined): Refusal['outcome'] | undefined {
  if (change.do === 'ensure' || change.do === 'discard') return undefined
  if (change.do === 'insert') return version === undefined ? undefined : 'exists'
  if (version === undefined) return 'missing'
  return version === change.version ? undefined : 'conflict'
}

function versionAfter(change: DocumentChange, version: number | undefined): number | undefined {
  switch (change.do) {
    case 'insert':
      return 1
    case 'ensure':
      return version ?? 1
    case 'replace':
      return change.version + 1
    case 'remove':
    case 'discard':
      return undefined
    case 'expect':
      return change.version
  }
}
