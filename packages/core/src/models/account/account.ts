import { documents, type Versioned } from '../../storage/collection.ts'

/** The account itself: while this document exists nobody can make a first administrator again. */
export interface Account extends Versioned {
  readonly createdAt: number
  /** The member it was made for. */
  readonly ownerId: string
}

export const accounts = documents<Account>()({ name: 'account', noun: 'account', address: 'acct' })
