import { createMemoryStorage } from '@halyard/storage-memory'
import { ApiError, type As, createEngine } from '../../../index.ts'
import type { ReferenceRow } from '../../../operation/reference-row.ts'
import { parseAddress } from '../../../rules/address.ts'
import type { Keys, Versioned } from '../../../storage/collection.ts'
import type { AccountStorage, DocumentId, Storage, StoredRecord } from '../../../storage/port.ts'
import { references } from '../references.ts'

/** A stored document that refers to another document, with the row of the table that describes the reference. */
export interface StoredReference {
  readonly row: ReferenceRow
  readonly referrer: string
  readonly target: string
  readonly exists: boolean
}

export type ReferenceAccount = Awaited<ReturnType<typeof referenceAccount>>

/** Makes an account with the project `web`, and functions that call operations and read the stored references. */
export async function referenceAccount() {
  const storage = createMemoryStorage()
  let now = Date.UTC(2026, 0, 1)
  const engine = createEngine({ storage, clock: () => now, countEvaluations: true })
  const owner = await engine.bootstrap({ email: 'ada@example.com' })
  const as: As = owner?.token ?? ''
  const account = storage.account('default')
  // Cast: tests call operations by their ids, with inputs that the operations validate.
  const api = engine.api as unknown as Readonly<Record<string, (input: object, options: object) => Promise<unknown>>>

  async function call<T = { readonly _id: string }>(id: string, input: object, caller = as): Promise<T> {
    return (await api[id]?.(input, { as: caller })) as T
  }

  async function records(): Promise<readonly StoredRecord[]> {
    const all: StoredRecord[] = []
    for await (const batch of account.dump()) all.push(...batch)
    return all
  }

  await call('createProject', { body: { key: 'web', name: 'Web' } })
  return {
    engine,
    as,
    ownerId: owner?.memberId ?? '',
    call,
    records,
    pass: (ms: number) => (now += ms),
    outdated: (deletion: string) => outdatedProcess(storage, { deletion, call, clock: () => now, as }),
    /** Removes a document and leaves the references to it. */
    async discard(id: DocumentId) {
      await account.commit([{ do: 'discard', id }])
      engine.clearCaches()
    },
    /** Returns all references that are stored, in an order that does not change. */
    async storedReferences(): Promise<readonly StoredReference[]> {
      return storedReferences(await records())
    },
  }
}

interface OutdatedOptions {
  /** The operation that the process calls; all others are called by `call`. */
  readonly deletion: string
  readonly call: <T>(id: string, input: object, caller?: As) => Promise<T>
  readonly clock: () => number
  readonly as: As
}

/**
 * Starts a process whose storage does not report commits of other processes, so that its cache becomes stale. A hook
 * makes its calls wait, after they have read everything that they need, until `allow` is called.
 */
function outdatedProcess(storage: Storage, { deletion, call, clock, as }: OutdatedOptions) {
  let isAllowed = false
  const deaf = (account: AccountStorage): AccountStorage => {
    const { immediate: _, ...others } = account
    return { ...others, watch: () => ({ live: () => true, stop: async () => {} }) }
  }
  const process = createEngine({
    storage: { ...storage, account: (name) => deaf(storage.account(name)) },
    clock,
    hooks: {
      beforeCommit() {
        if (!isAllowed) throw new ApiError('forbidden', { message: 'not yet' })
      },
    },
  })
  // Cast: the operation is found at run time, so its call has no type of its own here.
  const api = process.api as unknown as Readonly<Record<string, (input: object, options: object) => Promise<unknown>>>
  return {
    allow: () => void (isAllowed = true),
    async call<T>(id: string, input: object, caller = as): Promise<T> {
      return id === deletion ? ((await api[id]?.(input, { as: caller })) as T) : call<T>(id, input, caller)
    },
  }
}

type DocumentRecord = Extract<StoredRecord, { kind: 'document' }>

const idOf = ({ collection, scope, key }: DocumentRecord['id']) => `${collection} ${scope} ${key}`

/** Returns all references in the records of an account, by the rows of the table. */
export function storedReferences(all: readonly StoredRecord[]): StoredReference[] {
  const stored = all.filter((record) => record.kind === 'document')
  const existing = new Set(stored.map(({ id }) => idOf(id)))
  return references.rows.flatMap((row) =>
    stored
      .filter(({ id }) => id.collection === row.from.name)
      .flatMap(({ id, body }): StoredReference[] => {
        const keys = keysOf(row, id)
        const targets = keys ? (row.targets?.(body as Versioned, keys) ?? []) : []
        return targets.map((target) => {
          const targetId = idOf(row.to.id(target))
          return { row, referrer: idOf(id), target: targetId, exists: existing.has(targetId) }
        })
      }),
  )
}

function keysOf({ from }: ReferenceRow, { scope, key }: DocumentRecord['id']): Keys<string> | undefined {
  const { kinds, parameters } = from.address
  const levels = scope === '' ? [] : (parseAddress(scope) ?? [])
  if (levels.length !== kinds.length - 1 || levels.some(({ kind }, index) => kind !== kinds[index])) return undefined
  const values = [...levels.map((level) => level.key), key]
  return Object.fromEntries(parameters.flatMap((name, index) => (name ? [[name, values[index] ?? '']] : [])))
}
