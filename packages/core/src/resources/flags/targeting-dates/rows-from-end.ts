/** The key of a flag, and the time by which it is sorted. */
export interface DatedKey {
  readonly key: string
  /** Unix ms. */
  readonly at: number
}

/** Reads adjacent rows of a list. Returns those of them that belong to the result, and the number of all rows. */
export type ReadPart = (part: {
  readonly offset: number
  readonly limit: number
}) => Promise<{ readonly items: readonly DatedKey[]; readonly total: number }>

/** Number of rows that are read at a time. */
const rowsOfPart = 100

/** Maximum number of rows that are read in parts. Reading all rows of a long list together costs less than more parts. */
export const maxRowsInParts = 1_000

/** The elements of a list, which are read in parts from its start, or backwards from its end. */
export class RowsFromEnd {
  /** True when too many rows were read, or when the list became longer or shorter while it was read. */
  gaveUp = false
  readonly #read: ReadPart
  readonly #backwards: boolean
  #rowsRead = 0
  /** Number of rows of the list; undefined before the first part. */
  #total: number | undefined
  /** Elements that were read and not removed; the next one comes last. */
  #elements: DatedKey[] = []

  constructor(read: ReadPart, backwards: boolean) {
    this.#read = read
    this.#backwards = backwards
  }

  /** Returns the next element; undefined at the end, and when the list gave up. */
  async head(): Promise<DatedKey | undefined> {
    while (this.#elements.length === 0 && !this.gaveUp && this.#rowsRead !== this.#total) await this.#readPart()
    return this.#elements.at(-1)
  }

  removeHead(): void {
    this.#elements.pop()
  }

  async #readPart(): Promise<void> {
    if (this.#backwards) this.#total ??= (await this.#read({ offset: 0, limit: 1 })).total
    const remaining = (this.#total ?? Number.POSITIVE_INFINITY) - this.#rowsRead
    const limit = Math.min(rowsOfPart, remaining)
    if (limit === 0) return
    const { items, total } = await this.#read({ offset: this.#backwards ? remaining - limit : this.#rowsRead, limit })
    this.#rowsRead = Math.min(total, this.#rowsRead + limit)
    this.gaveUp = this.#rowsRead > maxRowsInParts || total !== (this.#total ?? total)
    this.#total = total
    this.#elements = this.#backwards ? [...items] : items.toReversed()
  }
}
