import { documents, type Versioned } from '../../storage/collection.ts'

/** The account itself. While this document exists, `bootstrap` does not create another first administrator. */
export interface Account extends Versioned {
  readonly createdAt: number
  /** The member who owns the account. */
  readonly ownerId: string
}

export const accounts = documents<Account>()({ name: 'account', noun: 'account', address: 'acct' })
