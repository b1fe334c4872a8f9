import type { AccountStorage } from '../../storage/port.ts'

/** A time, and the lowest number that a transaction which had not written by that time can have. */
interface Mark {
  time: number
  readonly next: number
}

/**
 * Maximum number of marks. While one transaction stays open, more marks only allow progress in smaller steps after its
 * end.
 */
const maxMarks = 1_000

/**
 * Finds the newest moment such that every transaction which had written by then has ended. A transaction of the host
 * can stay open for any time, and its writes become readable only when it ends.
 */
export class EndedTransactions {
  readonly #marks: Mark[] = []
  #ended = 0

  /**
   * Returns a time, integer ms. Everything that was written before this time is either readable now or never will be.
   * For a storage that does not number its transactions it is the present time.
   */
  async timeOf(storage: Pick<AccountStorage, 'transactionNumbers'>, now: number): Promise<number> {
    const numbers = await storage.transactionNumbers?.()
    if (!numbers) return now
    // An account that was moved to another server has the numbers of that server. A move waits for open transactions.
    if (numbers.next < (this.#marks.at(-1)?.next ?? 0)) this.#marks.splice(0)
    const newest = this.#marks.at(-1)
    if (newest?.next === numbers.next) newest.time = now
    else if (this.#marks.length < maxMarks) this.#marks.push({ time: now, next: numbers.next })
    for (let [oldest] = this.#marks; oldest && oldest.next <= numbers.oldestOpen; [oldest] = this.#marks) {
      this.#ended = oldest.time
      this.#marks.shift()
    }
    return this.#ended
  }
}
