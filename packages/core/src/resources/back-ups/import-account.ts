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
import { beginImport, type ImportMark } from './import-mark.ts'
import { type BackUpPieces, faultAt, type ReadRecord, readBackUp } from './read-back-up.ts'
import { restoredRecord } from './restored-record.ts'

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
export interface Imported {
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

/**
 * Puts a back-up into an account that has nothing, all of it or nothing (docs/decisions/0018-export-accounts-as-hashed-ndjson.md).
 *
 * @throws ApiError `invalid_request` naming the line of the first fault, or `token`; `optimistic_locking_error` when the
 *   account has something, or another import is under way.
 */
export async function importAccount(
  storage: AccountStorage,
  host: Host,
  collectionOf: CollectionOf,
  pieces: BackUpPieces,
  { token, signal, progress }: ImportOptions = {},
): Promise<Imported> {
  checkTokenValue(token)
  const tally = { renewed: {} as Record<string, number>, missing: {} as Record<string, number> }
  const entrance: Entrance = { credentials: [], owners: [], account: undefined }
  let mark: ImportMark | undefined
  let done = 0
  try {
    for await (const part of readBackUp(pieces)) {
      signal?.throwIfAborted()
      if (part.part === 'header') mark = await beginImport(storage, host)
      if (part.part === 'records') {
        const records = part.records.flatMap((one) => restored(one, collectionOf, host, tally, entrance))
        if (records.length > 0) {
          const outcome = await mark?.goOn([{ do: 'load', records }])
          if (outcome === 'exists') throw twice(part.records)
        }
        done += part.records.length
        progress?.(done)
      }
      if (part.part === 'footer' && mark) {
        signal?.throwIfAborted()
        const issued = await finish(storage, host, mark, entrance, token)
        const secrets = { ...tally, leftOut: part.footer.leftOut }
        return { records: part.footer.records, secrets, ...(issued ? { token: issued } : {}) }
      }
    }
  } catch (error) {
    await mark?.takeBack()
    throw error
  }
  throw new Error('the back-up ended without a footer')
}

/**
 * Records that give access to the account. They are written last, so that no caller gets access before the import is
 * complete.
 */
interface Entrance {
  readonly credentials: StoredRecord[]
  readonly owners: string[]
  account: Account | undefined
}

function restored(
  { line, record }: ReadRecord,
  collectionOf: CollectionOf,
  host: Host,
  tally: Record<'renewed' | 'missing', Record<string, number>>,
  entrance: Entrance,
): StoredRecord[] {
  const made = restoredRecord(record, collectionOf, host)
  if ('fault' in made) throw faultAt(line, made.fault)
  const { stored, secrets, collection } = made
  if (secrets && collection) tally[secrets][collection.name] = (tally[secrets][collection.name] ?? 0) + 1
  if (stored.kind !== 'document') return [stored]
  if (collection?.name === accounts.name) entrance.account = stored.body as Account
  if (collection?.name === members.name && (stored.body as Member).role === 'owner') entrance.owners.push(stored.id.key)
  if (collection?.name !== credentials.name) return [stored]
  entrance.credentials.push(stored)
  return []
}

/** Makes the account accessible, with the imported credentials or with a new one, and ends the import. */
async function finish(
  storage: AccountStorage,
  host: Host,
  mark: ImportMark,
  { credentials: records, owners, account }: Entrance,
  given: string | undefined,
): Promise<string | undefined> {
  const memberId = owners.find((id) => id === account?.ownerId) ?? owners[0]
  if (records.length > 0 || memberId === undefined) {
    const load: Change[] = records.length > 0 ? [{ do: 'load', records }] : []
    if ((await mark.end(load)) === 'exists')
      throw new ApiError('invalid_request', { message: 'A credential of the back-up comes twice' })
    return undefined
  }
  const unit = new UnitOfWork(storage)
  const token = await issueFirstToken(unit, host, memberId, given)
  mark.endWith(unit)
  if ((await unit.commit()) !== undefined) throw mark.lost()
  return token
}

function twice(records: readonly ReadRecord[]): ApiError {
  const lines = `lines ${records[0]?.line} to ${records.at(-1)?.line}`
  return new ApiError('optimistic_locking_error', {
    message: `Conflict. An entry of ${lines} comes twice, or another process writes to the account.`,
  })
}
