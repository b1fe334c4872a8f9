import { isDeepStrictEqual } from 'node:util'
import { compact } from './compact.ts'

type Item = Readonly<Record<string, unknown>>

/**
 * Gives the items of a list the ids of a stored list: a stored rule keeps its id when it moves, and a new rule gets the
 * id of the rule that it replaces. Events and experiments refer to rules and variations by id. A variation gets the id
 * of the stored variation at the same index, because a file refers to variations by index.
 */
export function withIds(desired: unknown, stored: unknown): unknown {
  if (!Array.isArray(desired) || !Array.isArray(stored) || !stored.some(hasId)) return desired
  if (desired.some(isVariation)) return desired.map((item, index) => withIdOf(item, stored[index]))
  const free = new Set(stored.keys())
  const matches = desired.map((item) => {
    const match = [...free].find((index) => isSame(item, stored[index]))
    if (match !== undefined) free.delete(match)
    return match
  })
  return desired.map((item, index) => {
    const match = matches[index] ?? (free.delete(index) ? index : undefined)
    return withIdOf(item, match === undefined ? undefined : stored[match])
  })
}

function hasId(item: unknown): item is Item {
  return typeof item === 'object' && item !== null && '_id' in item
}

function isVariation(item: Item): boolean {
  return 'value' in item
}

function isSame(item: Item, stored: Item): boolean {
  return isDeepStrictEqual(compact(item), compact(stored))
}

function withIdOf(item: Item, stored: Item | undefined): Item {
  if (!stored) return item
  const clauses = item.clauses === undefined ? {} : { clauses: withIds(item.clauses, stored.clauses) }
  return { ...item, ...clauses, _id: stored._id }
}
