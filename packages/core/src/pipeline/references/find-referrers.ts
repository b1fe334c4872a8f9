import type { ReferenceRow } from '../../operation/reference-row.ts'
import { parseAddress } from '../../rules/address.ts'
import type { Keys, StoredCollection, Versioned } from '../../storage/collection.ts'
import type { ListOptions, ListResult, Row } from '../../storage/reader.ts'
import type { UnitOfWork } from '../../storage/unit-of-work.ts'

/** A document that refers to another one. */
export interface Referrer {
  readonly row: ReferenceRow
  readonly keys: Keys<string>
  readonly document: Versioned
}

const pageSize = 500

/**
 * Returns the documents that refer to a target by the property of a row, as they are after the unit: without documents
 * that the unit removes or whose reference it removes.
 *
 * @param source `storage` when no referrer may be missed. Another process may have added a reference to a document
 *   after it was cached, and no commit checks that a cached document still has no reference.
 */
export async function findReferrers(
  unit: UnitOfWork,
  row: ReferenceRow,
  target: Keys<string>,
  source: 'storage' | 'cache',
): Promise<readonly Referrer[]> {
  const isCurrent = source === 'storage'
  const list: List = (...query) => (isCurrent ? unit.listCurrentRows(...query) : unit.listRows(...query))
  const candidates = row.candidates ? await row.candidates(unit, target) : await listCandidates(list, row, target)
  const documents = await (isCurrent ? unit.getManyCurrent(row.from, candidates) : unit.getMany(row.from, candidates))
  return documents.flatMap((document, index): Referrer[] => {
    const keys = candidates[index] as Keys<string>
    if (!document || unit.clears(row.from.id(keys))) return []
    return refersTo(row, { keys, document }, target) ? [{ row, keys, document }] : []
  })
}

/** Returns true when a document refers to a target by the property of a row. */
export function refersTo(
  { to, targets }: ReferenceRow,
  { keys, document }: Omit<Referrer, 'row'>,
  target: Keys<string>,
): boolean {
  const { scope, key } = to.id(target)
  return (targets?.(document, keys) ?? []).some((other) => {
    const id = to.id(other)
    return id.key === key && id.scope === scope
  })
}

/**
 * Returns the keys of the scope that contains the referrers of a target: the keys of the target without the last key. A
 * collection under the address of the target has that last key too, but its documents can also refer to other targets.
 */
export function scopeOfReferrers({ to }: ReferenceRow, target: Keys<string>): Keys<string> {
  const lastParameter = to.address.parameters.at(-1)
  return Object.fromEntries(Object.entries(target).filter(([name]) => name !== lastParameter))
}

type List = (
  collection: StoredCollection,
  scope: Keys<string>,
  page: ListOptions & { readonly deep: true },
) => Promise<ListResult<Row>>

async function listCandidates(list: List, row: ReferenceRow, target: Keys<string>) {
  const { from, where } = row
  const scope = scopeOfReferrers(row, target)
  const referrerKeys: Keys<string>[] = []
  for (let offset = 0; ; offset += pageSize) {
    const page = { deep: true as const, where: where?.(target) ?? [], limit: pageSize, offset, count: false }
    const { items } = await list(from, scope, page)
    referrerKeys.push(...items.map((item) => keysOfRow(from, item)).filter((keys) => keys !== undefined))
    if (items.length < pageSize) return referrerKeys
  }
}

/**
 * Returns the keys of a stored document. Undefined when its address does not fit the collection, because several
 * collections can have one name.
 */
function keysOfRow(
  { address }: StoredCollection,
  { scope, key }: { readonly scope: string; readonly key: string },
): Keys<string> | undefined {
  const levels = scope === '' ? [] : (parseAddress(scope) ?? [])
  if (levels.length !== address.kinds.length - 1) return undefined
  if (levels.some(({ kind }, index) => kind !== address.kinds[index])) return undefined
  const rawKeys = [...levels.map((level) => level.key), key]
  const entries = address.parameters.map((name, index) => [name, rawKeys[index] as string] as const)
  return Object.fromEntries(entries.filter(([name]) => name !== undefined))
}
