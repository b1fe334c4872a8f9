import type { Row } from '../row.ts'
import type { RowChange } from './change-journal.ts'

/** Returns the terms by which a row is found. */
export type RowTerms = (row: Row) => readonly string[]

/**
 * Finds rows by their terms. Each row has a number, and each term the ascending numbers of its rows: 8 bytes for each
 * term of each row.
 */
export class RowIndex {
  readonly #termsOf: RowTerms
  /** The rows by their numbers; undefined for those that were removed. */
  readonly #rows: (Row | undefined)[] = []
  readonly #numbers = new Map<Row, number>()
  readonly #numbersByTerm = new Map<string, number[]>()

  constructor(termsOf: RowTerms) {
    this.#termsOf = termsOf
  }

  /** Number of rows, including the rows that were removed after the index was made. */
  get size(): number {
    return this.#rows.length
  }

  /** Returns true when at least half of the rows were removed, so that a new index would be half as large. */
  get sparse(): boolean {
    return this.#rows.length > 2 * this.#numbers.size + 1024
  }

  add(row: Row): void {
    const number = this.#rows.push(row) - 1
    this.#numbers.set(row, number)
    for (const term of this.#termsOf(row)) {
      const numbers = this.#numbersByTerm.get(term)
      if (!numbers) this.#numbersByTerm.set(term, [number])
      else if (numbers.at(-1) !== number) numbers.push(number)
    }
  }

  /** Applies a change of a row. The index may contain neither the old nor the new state of the row. */
  apply({ before, after }: RowChange, belongs: (row: Row) => boolean): void {
    const number = before && this.#numbers.get(before)
    if (before && number !== undefined) {
      this.#numbers.delete(before)
      if (after && this.#haveSameTerms(before, after)) {
        this.#rows[number] = after
        this.#numbers.set(after, number)
        return
      }
      this.#rows[number] = undefined
    }
    if (after && belongs(after)) this.add(after)
  }

  /** Returns the number of rows that a term has had, including rows that were removed since. */
  count(term: string): number {
    return this.#numbersByTerm.get(term)?.length ?? 0
  }

  /** Returns the rows of any of these terms, each once. */
  find(terms: readonly string[]): Row[] {
    const lists = terms.map((term) => this.#numbersByTerm.get(term) ?? [])
    const numbers = lists.length === 1 ? (lists[0] as number[]) : new Set(lists.flat())
    const rows: Row[] = []
    for (const number of numbers) {
      const row = this.#rows[number]
      if (row) rows.push(row)
    }
    return rows
  }

  #haveSameTerms(before: Row, after: Row): boolean {
    const [old, current] = [this.#termsOf(before), this.#termsOf(after)]
    return old.length === current.length && old.every((term, i) => term === current[i])
  }
}
