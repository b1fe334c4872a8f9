import { type Change, type CommitOutcome, documentAddress } from '@halyard/core/storage'
import type { BatchWithNotification } from './change-notification.ts'

type CommitRequest = (request: BatchWithNotification) => Promise<CommitOutcome>

/** A batch that waits, because a pending batch replaces the same version of a document. */
interface Follower {
  readonly request: BatchWithNotification
  /** Index of its change of that document. */
  readonly change: number
  readonly name: string
  readonly resolve: (outcome: CommitOutcome | Promise<CommitOutcome>) => void
}

/**
 * Makes a function that sends a batch only when no other pending batch replaces the same version of a document. At most
 * one of several such batches can be written, so the others wait for the first. When the first batch has replaced the
 * version, or has found that the version is no longer stored, the others are refused without a request to the server.
 * When the first fails for another reason, the next is sent.
 *
 * Without this function, five hundred calls that change one flag at the same time would send five hundred statements,
 * and one of them would succeed.
 */
export function refuseOutdated(commit: CommitRequest): CommitRequest {
  /** The batches that wait for each pending batch, by each version that the pending batch replaces. */
  const onTheirWay = new Map<string, Follower[]>()

  function submit(request: BatchWithNotification): Promise<CommitOutcome> {
    const replaced = replacedVersions(request.batch)
    for (const [name, change] of replaced) {
      const followers = onTheirWay.get(name)
      if (followers) return new Promise((resolve) => void followers.push({ request, change, name, resolve }))
    }
    return replaced.size === 0 || request.batch.some(removes) ? commit(request) : lead(request, replaced)
  }

  async function lead(request: BatchWithNotification, replaced: ReadonlyMap<string, number>): Promise<CommitOutcome> {
    const followers: Follower[] = []
    for (const name of replaced.keys()) onTheirWay.set(name, followers)
    let outcome: CommitOutcome | undefined
    try {
      outcome = await commit(request)
      return outcome
    } finally {
      for (const name of replaced.keys()) onTheirWay.delete(name)
      for (const { resolve, change, name, request: following } of followers) {
        resolve(isOutdated(name, outcome, replaced) ? { outcome: 'conflict', change } : submit(following))
      }
    }
  }

  return submit
}

/** After a batch that removes documents, another batch may find its document missing instead of changed. */
function removes({ do: verb }: Change): boolean {
  return verb === 'remove' || verb === 'discard' || verb === 'discard-all' || verb === 'clear'
}

/** Returns true when an outcome shows that a version is no longer stored. */
function isOutdated(name: string, outcome: CommitOutcome | undefined, replaced: ReadonlyMap<string, number>): boolean {
  if (outcome?.outcome === 'committed') return true
  return outcome?.outcome === 'conflict' && replaced.get(name) === outcome.change
}

/** Returns the index of each change that replaces or removes a version of a document, by the document and version. */
function replacedVersions(batch: readonly Change[]): ReadonlyMap<string, number> {
  const replaced = new Map<string, number>()
  for (const [index, change] of batch.entries()) {
    if (change.do === 'replace' || change.do === 'remove')
      replaced.set(`${change.version} ${documentAddress(change.id)}`, index)
  }
  return replaced
}
