import {
  type Change,
  type CommitOutcome,
  type DocumentId,
  isUnder,
  type TaskChange,
  taskBatch,
} from '@halyard/core/storage'
import type { DocumentChange } from './document-changes.ts'

export type RefusedOutcome = Exclude<CommitOutcome, { outcome: 'committed' }>

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
): RefusedOutcome | undefined {
  const tasks = taskBatch(takes)
  const expectedVersions = new Map<string, { id: DocumentId; version: number | undefined }>()
  for (const [change, batchChange] of batch.entries()) {
    if (isDocumentChange(batchChange) && !expectedVersions.has(addressOf(batchChange.id))) {
      expectedVersions.set(addressOf(batchChange.id), { id: batchChange.id, version: versions[change] })
    }
  }
  for (const [change, batchChange] of batch.entries()) {
    if (isTaskChange(batchChange)) {
      const outcome = tasks.refusalOf(batchChange)
      if (outcome) return { outcome, change }
    }
    if (batchChange.do === 'clear') {
      tasks.clear(batchChange.scope)
      for (const documentState of expectedVersions.values())
        if (isUnder(documentState.id.scope, batchChange.scope)) documentState.version = undefined
    }
    const documentState = isDocumentChange(batchChange) ? expectedVersions.get(addressOf(batchChange.id)) : undefined
    if (!isDocumentChange(batchChange) || documentState === undefined) continue
    const outcome = refusalOf(batchChange, documentState.version)
    if (outcome) return { outcome, change }
    documentState.version = versionAfter(batchChange, documentState.version)
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

function refusalOf(change: DocumentChange, version: number | undefined): RefusedOutcome['outcome'] | undefined {
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
