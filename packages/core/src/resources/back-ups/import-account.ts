import { type Account, accounts } from '../../models/account/account.ts'
import { type Member, members } from '../../models/members/member.ts'
import { credentials } from '../../models/tokens/token.ts'
import type { Host } from '../../operation/context.ts'
import { ApiError } from '../../operation/errors.ts'
import type { AccountStorage, Change, StoredRecord } from '../../storage/port.ts'
import { UnitOfWork } from '../../storage/unit-of-work.ts'
import { checkTokenValue, issueFirstToken } from '../account/first-token.ts'
import type { RecordCounts } from './back-up-format.ts'
import type { CollectionOf } from './collection-of.ts'
import { beginImport, type ImportMarker } from './import-marker.ts'
import { type BackUpPieces, errorAtLine, type ReadRecord, readBackUp } from './read-back-up.ts'
import { restoreRecord } from './restore-record.ts'

/** Options of an import. */
export interface ImportOptions {
  /**
   * Value of the administrator's token for a back-up without credentials, at least 16 characters. Generated when
   * omitted.
   */
  readonly token?: string
  /** Cancels the import, which then throws the signal's reason and removes everything that it has written. */
  readonly signal?: AbortSignal
  /** Called after each batch with the number of records that have been imported. */
  readonly progress?: (records: number) => void
}

/** Result of an import. */
export interface ImportResult {
  readonly records: RecordCounts
  /** Number of documents, by collection, that were exported without their secrets, by outcome. */
  readonly secrets: {
    /** Documents with new secrets. */
    readonly renewed: Readonly<Record<string, number>>
    /** Documents without secrets, which a user has to set. */
    readonly missing: Readonly<Record<string, number>>
    /** Documents that were not exported. */
    readonly leftOut: Readonly<Record<string, number>>
  }
  /** An administrator's token, when the back-up contained none. It cannot be read again later. */
  readonly token?: string
}

/** The account into which a back-up is imported. */
export interface ImportTarget {
  readonly storage: AccountStorage
  readonly host: Host
  readonly collectionOf: CollectionOf
}

/**
 * Imports a back-up into an empty account in one transaction: all of it or nothing
 * (docs/decisions/0018-export-accounts-as-hashed-ndjson.md).
 *
 * @throws ApiError `invalid_request` with the line of the first error, or `token`; `optimistic_locking_error` when the
 *   account is not empty, or another import is running.
 */
export async function importAccount(
  target: ImportTarget,
  pieces: BackUpPieces,
  { token, signal, progress }: ImportOptions = {},
): Promise<ImportResult> {
  checkTokenValue(token)
  const state: ImportState = {
    tally: { renewed: {}, missing: {} },
    deferred: { credentials: [], owners: [], account: undefined },
  }
  let marker: ImportMarker | undefined
  let recordCount = 0
  try {
    for await (const part of readBackUp(pieces)) {
      signal?.throwIfAborted()
      if (part.part === 'header') marker = await beginImport(target.storage, target.host)
      if (part.part === 'records') {
        const records = part.records.flatMap((entry) => restored(entry, target, state))
        if (records.length > 0) {
          const outcome = await marker?.commitBatch([{ do: 'load', records }])
          if (outcome === 'exists') throw duplicateError(part.records)
        }
        recordCount += part.records.length
        progress?.(recordCount)
      }
      if (part.part === 'footer' && marker) {
        signal?.throwIfAborted()
        const issued = await finishImport(target, marker, state.deferred, token)
        const secrets = { ...state.tally, leftOut: part.footer.leftOut }
        return { records: part.footer.records, secrets, ...(issued ? { token: issued } : {}) }
      }
    }
  } catch (error) {
    await marker?.rollBack()
    throw error
  }
  throw new Error('the back-up ended without a footer')
}

/**
 * Records that give access to the account. They are written last, so that no caller gets access before the import is
 * complete.
 */
interface DeferredRecords {
  readonly credentials: StoredRecord[]
  readonly owners: string[]
  account: Account | undefined
}

/** State of an import, which each record changes. */
interface ImportState {
  readonly tally: Record<'renewed' | 'missing', Record<string, number>>
  readonly deferred: DeferredRecords
}

function restored(
  { line, record }: ReadRecord,
  { collectionOf, host }: ImportTarget,
  { tally, deferred }: ImportState,
): StoredRecord[] {
  const result = restoreRecord(record, collectionOf, host)
  if ('error' in result) throw errorAtLine(line, result.error)
  const { stored, secrets, collection } = result
  if (secrets && collection) tally[secrets][collection.name] = (tally[secrets][collection.name] ?? 0) + 1
  if (stored.kind !== 'document') return [stored]
  if (collection?.name === accounts.name) deferred.account = stored.body as Account
  if (collection?.name === members.name && (stored.body as Member).role === 'owner') deferred.owners.push(stored.id.key)
  if (collection?.name !== credentials.name) return [stored]
  deferred.credentials.push(stored)
  return []
}

/** Makes the account accessible, with the imported credentials or with a new credential, and ends the import. */
async function finishImport(
  { storage, host }: ImportTarget,
  marker: ImportMarker,
  { credentials: records, owners, account }: DeferredRecords,
  tokenValue: string | undefined,
): Promise<string | undefined> {
  const memberId = owners.find((id) => id === account?.ownerId) ?? owners[0]
  if (records.length > 0 || memberId === undefined) {
    const load: Change[] = records.length > 0 ? [{ do: 'load', records }] : []
    if ((await marker.commitLast(load)) === 'exists')
      throw new ApiError('invalid_request', { message: 'The back-up contains a credential twice' })
    return undefined
  }
  const unit = new UnitOfWork(storage)
  const token = await issueFirstToken(unit, host, { memberId, value: tokenValue })
  marker.endWith(unit)
  if ((await unit.commit()) !== undefined) throw marker.takenOverError()
  return token
}

function duplicateError(records: readonly ReadRecord[]): ApiError {
  const lines = `lines ${records[0]?.line} to ${records.at(-1)?.line}`
  return new ApiError('optimistic_locking_error', {
    message: `Conflict. The back-up contains an entry of ${lines} twice, or another process writes to the account.`,
  })
}
