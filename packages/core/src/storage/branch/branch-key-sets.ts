import { allKeys } from '../all-keys.ts'
import { compareCodePoints } from '../code-point-order.ts'
import type { AccountStorage, SetId } from '../port.ts'
import { type BranchParts, isEmptied, readState } from './branch-state.ts'

/** Number of keys that are looked up in one request. */
const keysPerRead = 1000

/**
 * Returns the set of the keys that a branch has added to a set. A key in it belongs to the set even if the branch also
 * removed the key.
 */
export const addedTo = ({ name, scope }: SetId): SetId => ({ name: `+${name}`, scope })

/** Returns the set of the keys that a branch has removed from a set of the trunk. */
export const removedFrom = ({ name, scope }: SetId): SetId => ({ name: `-${name}`, scope })

/** Returns the set to which a set of added or removed keys belongs. */
export const shownSet = ({ name, scope }: SetId): SetId => ({ name: name.slice(1), scope })

type KeySetReads = Pick<AccountStorage, 'hasKey' | 'findKeys' | 'countKeys' | 'pageKeys'>

/**
 * Makes the reads of the key sets of a branch: the sets of the trunk, without keys that the branch has removed and with
 * keys that it has added.
 */
export function branchKeySets(parts: BranchParts): KeySetReads {
  const { trunk, own } = parts

  async function findKeys(set: SetId, keys: readonly string[]): Promise<string[]> {
    const [state, added, removed, stored] = await Promise.all([
      readState(parts),
      own.findKeys(addedTo(set), keys),
      own.findKeys(removedFrom(set), keys),
      trunk.findKeys(set, keys),
    ])
    if (isEmptied(state, set)) return added
    const removedKeys = new Set(removed)
    return [...new Set([...added, ...stored.filter((key) => !removedKeys.has(key))])]
  }

  async function pageKeys(set: SetId, { after, limit }: { after?: string; limit: number }): Promise<string[]> {
    const from = (cursor: string | undefined) => ({ limit, ...(cursor === undefined ? {} : { after: cursor }) })
    const [state, added] = await Promise.all([readState(parts), own.pageKeys(addedTo(set), from(after))])
    if (isEmptied(state, set)) return added
    const retainedKeys: string[] = []
    for (let cursor = after; retainedKeys.length < limit; ) {
      const page = await trunk.pageKeys(set, from(cursor))
      const removed = new Set(await own.findKeys(removedFrom(set), page))
      retainedKeys.push(...page.filter((key) => !removed.has(key)))
      if (page.length < limit) break
      cursor = page.at(-1)
    }
    return [...new Set([...retainedKeys, ...added])].sort(compareCodePoints).slice(0, limit)
  }

  /** Returns true when the set in the branch equals the set in the trunk. */
  async function isUntouched(set: SetId): Promise<boolean> {
    const [state, added, removed] = await Promise.all([
      readState(parts),
      own.countKeys(addedTo(set)),
      own.countKeys(removedFrom(set)),
    ])
    return added + removed === 0 && !isEmptied(state, set)
  }

  return {
    hasKey: async (set, key) => (await findKeys(set, [key])).length > 0,
    findKeys,
    pageKeys,
    async countKeys(set, without) {
      const untouched = await Promise.all([set, ...(without ? [without] : [])].map(isUntouched))
      if (untouched.every(Boolean)) return trunk.countKeys(set, without)
      const keys = await allKeys((page) => pageKeys(set, page))
      if (!without) return keys.length
      let count = 0
      for (let start = 0; start < keys.length; start += keysPerRead) {
        const part = keys.slice(start, start + keysPerRead)
        count += part.length - (await findKeys(without, part)).length
      }
      return count
    },
  }
}
