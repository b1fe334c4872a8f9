import type { Row } from '../row.ts'

/** A change of one row: without `before` it was added, without `after` it was removed. */
export interface RowChange {
  readonly before: Row | undefined
  readonly after: Row | undefined
}

/** Number of changes above which sorting a list again is cheaper than applying the changes one by one. */
export const maxChanges = 256

/** The latest changes of the rows of one collection. A reader stores a position and applies the changes after it. */
export class ChangeJournal {
  #changes: RowChange[] = []
  /** Position of the oldest change in the journal. */
  #first = 0
  #held = 0

  /** Position after the latest change. */
  get end(): number {
    return this.#first + this.#changes.length
  }

  add(change: RowChange): void {
    if (this.#held === 0 && this.#changes.length >= 2 * maxChanges) this.#discard(maxChanges)
    this.#changes.push(change)
  }

  /** Removes all changes, so that every reader has to read again: the content was replaced as a whole. */
  reset(): void {
    this.#discard(this.#changes.length)
    this.#first++
  }

  /**
   * Returns the changes since a position; undefined when the journal has dropped some of them, or when they are too
   * many to apply.
   */
  since(position: number): readonly RowChange[] | undefined {
    if (position < this.#first) return undefined
    const count = this.end - position
    return this.#held === 0 && count > maxChanges ? undefined : this.#changes.slice(position - this.#first)
  }

  /** Keeps all changes until the returned function is called, for a reader that needs time. */
  hold(): () => void {
    this.#held++
    return () => {
      this.#held--
    }
  }

  #discard(count: number): void {
    this.#changes.splice(0, count)
    this.#first += count
  }
}
