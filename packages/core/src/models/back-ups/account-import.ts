import { documents, type Versioned } from '../../storage/collection.ts'

/** A back-up that is being put in. While it is there the account is not whole. */
export interface AccountImport extends Versioned {
  readonly importId: string
  /** When it last got on, integer ms. */
  readonly touchedAt: number
}

/** One document at most. */
export const accountImports = documents<AccountImport>()({ name: 'account-import', address: 'account-import/only' })

/** An import that has not got on for so long is given up: its process is gone. */
export const importPatienceMs = 10 * 60 * 1000
