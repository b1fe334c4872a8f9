/** Numbers of the transactions of a database, which it assigns in the order in which they first write. */
export interface TransactionNumbers {
  /**
   * The lowest number of a transaction that may be open. Every transaction with a lower number has ended, and what it
   * committed is readable.
   */
  readonly oldestOpen: number
  /** The next number. A transaction that has not written yet gets this number or a higher one. */
  readonly next: number
}
