import { documents, type Versioned } from '../../storage/collection.ts'

/** A running import of a back-up. While this document exists, the content of the account is incomplete. */
export interface AccountImport extends Versioned {
  readonly importId: string
  /** Time of the last progress, integer ms. */
  readonly touchedAt: number
}

/** Contains at most one document. */
export const accountImports = documents<AccountImport>()({ name: 'account-import', address: 'account-import/only' })

/** Time without progress after which an import counts as abandoned, because its process has ended. */
export const importTimeoutMs = 10 * 60 * 1000
