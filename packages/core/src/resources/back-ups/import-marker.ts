import { accounts } from '../../models/account/account.ts'
import { type AccountImport, accountImports, importTimeoutMs } from '../../models/back-ups/account-import.ts'
import type { Host } from '../../operation/context.ts'
import { ApiError } from '../../operation/errors.ts'
import type { AccountStorage, Change } from '../../storage/port.ts'
import type { Writer } from '../../storage/writer.ts'

/** The marker of a running import. Only the process that set it may write, and no other import can start. */
export interface ImportMarker {
  /**
   * Commits changes and records that the import makes progress.
   *
   * @returns `exists` when a record exists already.
   * @throws ApiError when another import took over.
   */
  commitBatch(changes: readonly Change[]): Promise<'exists' | undefined>
  /** Commits the last changes and removes the marker. */
  commitLast(changes: readonly Change[]): Promise<'exists' | undefined>
  /** Adds the removal of the marker to a unit of work, which becomes the last commit of the import. */
  endWith(tx: Writer): void
  /** Removes everything that was imported, unless another import took over. */
  rollBack(): Promise<void>
  /** Makes the error of an import that another import has replaced. */
  takenOverError(): ApiError
}

const id = accountImports.id({})

function lockingError(message: string): ApiError {
  return new ApiError('optimistic_locking_error', { message })
}

const takenOverError = () => lockingError('Another import has taken over')

/**
 * Starts an import: removes the records of an abandoned import, and sets the marker of the new import in the empty
 * account. An import counts as abandoned when it made no progress for ten minutes, because its process has ended.
 *
 * @throws ApiError `optimistic_locking_error` when the account is not empty, or another import is running.
 */
export async function beginImport(storage: AccountStorage, host: Host): Promise<ImportMarker> {
  const importId = host.newId()
  const [marker, account] = await storage.getMany([id, accounts.id({})])
  const previous = marker?.body as AccountImport | undefined
  if (previous && host.now() - previous.touchedAt < importTimeoutMs)
    throw lockingError('Another import into this account is running')
  if (!previous && (account || (await hasContent(storage)))) throw lockingError('The account is not empty')
  const first: AccountImport = { importId, touchedAt: host.now(), version: 1 }
  const clearing: Change[] = previous
    ? [
        { do: 'expect', id, version: previous.version },
        { do: 'clear', scope: '' },
      ]
    : []
  const result = await storage.commit([...clearing, { do: 'insert', id, body: first, fields: {} }])
  if (result.outcome !== 'committed') throw lockingError('Another import into this account is running')
  return importMarker(storage, host, first)
}

async function hasContent(storage: AccountStorage): Promise<boolean> {
  for await (const _ of storage.dump()) return true
  return false
}

function importMarker(storage: AccountStorage, host: Host, first: AccountImport): ImportMarker {
  let current = first

  async function commit(changes: readonly Change[]): Promise<'exists' | undefined> {
    const result = await storage.commit(changes)
    if (result.outcome === 'exists') return 'exists'
    if (result.outcome !== 'committed') throw takenOverError()
    return undefined
  }

  return {
    async commitBatch(changes) {
      const { version } = current
      const next = { ...current, touchedAt: host.now(), version: version + 1 }
      const outcome = await commit([...changes, { do: 'replace', id, version, body: next, fields: {} }])
      if (!outcome) current = next
      return outcome
    },
    commitLast: (changes) => commit([...changes, { do: 'remove', id, version: current.version }]),
    endWith: (tx) => tx.remove(accountImports, {}, current),
    async rollBack() {
      // A commit whose connection was lost may or may not have been applied, so the import marker is read again.
      const stored = await storage.get(id)
      if (!stored || (stored.body as AccountImport).importId !== first.importId) return
      await storage.commit([
        { do: 'expect', id, version: stored.version },
        { do: 'clear', scope: '' },
      ])
    },
    takenOverError,
  }
}
