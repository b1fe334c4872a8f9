import type { Host } from '../../operation/context.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { storedCollections } from '../generated/stored-collections.ts'
import { type CollectionOf, collectionFinder } from './collection-of.ts'
import { type ExportOptions, exportAccount } from './export-account.ts'
import { type Imported, type ImportOptions, importAccount } from './import-account.ts'
import type { BackUpPieces } from './read-back-up.ts'

/** What `engine.export` and `engine.import` do, of an account as a whole. */
export interface BackUps {
  export(storage: AccountStorage, options?: ExportOptions): AsyncIterable<string>
  import(storage: AccountStorage, host: Host, pieces: BackUpPieces, options?: ImportOptions): Promise<Imported>
}

/** Back-ups of every collection that documents are stored in: part of an engine's design. */
export const backUps: BackUps = {
  export: (storage, options) => exportAccount(storage, collectionOf, options),
  import: (storage, host, pieces, options) => importAccount(storage, host, collectionOf, pieces, options),
}

let known: CollectionOf | undefined

/** Made when it is asked for the first time: most engines never back anything up. */
const collectionOf: CollectionOf = (id) => {
  known ??= collectionFinder(storedCollections)
  return known(id)
}
