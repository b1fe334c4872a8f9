import type { Host } from '../../operation/context.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { storedCollections } from '../generated/stored-collections.ts'
import { type CollectionOf, collectionFinder } from './collection-of.ts'
import { type ExportOptions, exportAccount } from './export-account.ts'
import { type ImportOptions, type ImportResult, importAccount } from './import-account.ts'
import type { BackUpPieces } from './read-back-up.ts'

/** The implementation of `engine.export` and `engine.import` for a whole account. */
export interface BackUps {
  export(storage: AccountStorage, options?: ExportOptions): AsyncIterable<string>
  import(storage: AccountStorage, host: Host, pieces: BackUpPieces, options?: ImportOptions): Promise<ImportResult>
}

/** The part of an engine that exports and imports the documents of all collections. */
export const backUps: BackUps = {
  export: (storage, options) => exportAccount(storage, collectionOf, options),
  import: (storage, host, pieces, options) => importAccount({ storage, host, collectionOf }, pieces, options),
}

let finder: CollectionOf | undefined

/** Created at the first use, because most engines never make a back-up. */
const collectionOf: CollectionOf = (id) => {
  finder ??= collectionFinder(storedCollections)
  return finder(id)
}
