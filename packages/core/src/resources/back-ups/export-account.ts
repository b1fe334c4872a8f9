import { accountImports } from '../../models/back-ups/account-import.ts'
import { ApiError } from '../../operation/errors.ts'
import { type IncrementalSha256, incrementalSha256 } from '../../rules/incremental-sha256.ts'
import type { AccountStorage, StoredRecord } from '../../storage/port.ts'
import { type BackUpFooter, type BackUpHeader, backUpVersion, noRecords } from './back-up-format.ts'
import type { CollectionOf } from './collection-of.ts'
import { type ExportedRecord, lineSerializer } from './record-line.ts'

/** Options of an export. */
export interface ExportOptions {
  /** Includes secrets in plain text. Default false. */
  readonly secrets?: boolean
  /** Cancels the export, which then throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Called repeatedly with the number of records that have been read. */
  readonly progress?: (records: number) => void
}

/**
 * Exports all data of an account as text, in pieces of whole lines
 * (docs/decisions/0018-export-accounts-as-hashed-ndjson.md).
 *
 * @throws ApiError `optimistic_locking_error` while a back-up is being imported into the account; Error for a document
 *   of an unknown collection, which is a defect, because the engine cannot know which of its properties are secret.
 */
export async function* exportAccount(
  storage: AccountStorage,
  collectionOf: CollectionOf,
  { secrets = false, signal, progress }: ExportOptions = {},
): AsyncGenerator<string> {
  const header: BackUpHeader = { format: 'halyard', version: backUpVersion, secrets }
  const records: Record<StoredRecord['kind'], number> = { ...noRecords }
  const leftOut: Record<string, number> = {}
  const hash = await incrementalSha256()
  const serialize = lineSerializer()
  yield addToHash(hash, `${JSON.stringify(header)}\n`)
  for await (const chunk of storage.dump()) {
    signal?.throwIfAborted()
    let text = ''
    for (const record of chunk) {
      const exported = exportedRecord(record, collectionOf, secrets)
      if (exported === undefined) {
        const name = record.kind === 'document' ? record.id.collection : record.kind
        leftOut[name] = (leftOut[name] ?? 0) + 1
        continue
      }
      records[record.kind]++
      text += `${serialize(exported)}\n`
    }
    if (text !== '') yield addToHash(hash, text)
    progress?.(records.document + records.member + records.sample + records.task)
  }
  const footer: BackUpFooter = { kind: 'end', records, leftOut, sha256: hash.hex() }
  yield `${JSON.stringify(footer)}\n`
}

function addToHash(hash: IncrementalSha256, text: string): string {
  hash.update(text)
  return text
}

/** Returns the exported form of a record, or undefined when the record is omitted. */
function exportedRecord(
  record: StoredRecord,
  collectionOf: CollectionOf,
  secrets: boolean,
): ExportedRecord | undefined {
  if (record.kind !== 'document') return record
  const { id, version } = record
  if (id.collection === accountImports.name) {
    throw new ApiError('optimistic_locking_error', { message: 'A back-up is being imported into this account' })
  }
  const collection = collectionOf(id)
  if (!collection) throw new Error(`the collection ${id.collection} is not registered for back-ups`)
  const body = record.body as Readonly<Record<string, unknown>>
  if (secrets) return { kind: 'document', ...id, version, body, ...(record.withheld && { withheld: record.withheld }) }
  if (collection.withoutSecrets === 'left out') return undefined
  const withheld = collection.secrets
    .map(String)
    .filter((name) => body[name] !== undefined || record.withheld?.includes(name))
  if (withheld.length === 0) return { kind: 'document', ...id, version, body }
  const bodyWithoutSecrets = Object.fromEntries(Object.entries(body).filter(([name]) => !withheld.includes(name)))
  return { kind: 'document', ...id, version, withheld, body: bodyWithoutSecrets }
}
