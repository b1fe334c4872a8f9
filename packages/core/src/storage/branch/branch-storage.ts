import type { AccountStorage, TouchedRecords } from '../port.ts'
import { commitToBranch } from './branch-commit.ts'
import { getBranchDocuments, listBranchDocuments } from './branch-documents.ts'
import { branchKeySets, shownSet } from './branch-key-sets.ts'
import { branchSamples } from './branch-samples.ts'
import { type BranchParts, branchStateId } from './branch-state.ts'

/**
 * Returns the storage of a branch. Reads return the rows of the branch, and the current rows of the trunk where the
 * branch has not written. Writes change only rows of the branch.
 *
 * Tasks, and the samples of `ownSeries`, come from the branch alone. There is no dump, because a back-up contains a
 * whole account.
 */
export function branchStorage(parts: BranchParts): AccountStorage {
  const { trunk, own } = parts
  const samples = branchSamples(parts)
  const storage: AccountStorage = {
    ...(trunk.immediate && { immediate: true }),
    get: async (id) => (await getBranchDocuments(parts, [id]))[0],
    getMany: (ids) => getBranchDocuments(parts, ids),
    list: (query) => listBranchDocuments(parts, query),
    ...branchKeySets(parts),
    scan: samples.scan,
    newest: samples.newest,
    ...(trunk.findSamples && { findSamples: samples.findSamples }),
    take: (query) => own.take(query),
    listTasks: (queue, page) => own.listTasks(queue, page),
    commit: (batch) => commitToBranch(parts, storage, batch),
    ...(trunk.watch && { watch: (onChange) => watchBoth(trunk, own, onChange) }),
    ...(trunk.reserve && { reserve: trunk.reserve.bind(trunk) }),
    // biome-ignore lint/correctness/useYield: rejects when it is first read.
    async *dump() {
      throw new Error('a branch has no export of its own: merge it, then export the account')
    },
  }
  return storage
}

type Watch = NonNullable<AccountStorage['watch']>

/** Watches the trunk and the rows of the branch. */
function watchBoth(trunk: AccountStorage, own: AccountStorage, onChange: Parameters<Watch>[0]): ReturnType<Watch> {
  const onOwnChange: typeof onChange = (touched) => {
    const visibleRecords = touched === 'anything' ? touched : touched.flatMap(shownRecords)
    if (visibleRecords.length > 0) onChange(visibleRecords)
  }
  const watches = [trunk.watch?.(onChange), own.watch?.(onOwnChange)]
  return {
    live: () => watches.every((watch) => watch?.live() ?? false),
    async stop() {
      for (const watch of watches) await watch?.stop()
    },
  }
}

/** Returns the records of the branch that are affected by changed rows in the branch's account. */
function shownRecords(touched: TouchedRecords): readonly TouchedRecords[] {
  if (touched.kind === 'document' && touched.id.collection === branchStateId.collection) return []
  return [touched.kind === 'keys' ? { kind: 'keys', set: shownSet(touched.set) } : touched]
}
