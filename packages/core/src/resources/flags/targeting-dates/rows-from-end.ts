/** The key of a flag, and the time by which it is sorted. */
export interface DatedKey {
  readonly key: string
  /** Unix ms. */
  readonly at: number
}

/** Adjacent rows of a list. */
export interface PartOfList {
  /** All rows of the part. */
  readonly rows: readonly DatedKey[]
  /** The rows that belong to the result. */
  readonly items: readonly DatedKey[]
  /** Number of all rows of the list. */
  readonly total: number
}

export type ReadPart = (part: { readonly offset: number; readonly limit: number }) => Promise<PartOfList>

/** Number of rows that are read at a time. */
const rowsOfPart = 100

/** Maximum number of rows that are read in parts. Reading all rows of a long list together costs less than more parts. */
export const maxRowsInParts = 1_000

/** The items of a list, which are read in parts from its start, or backwards from its end. */
export class RowsFromEnd {
  /** True when too many rows were read, or when the list became longer or shorter while it was read. */
  gaveUp = false
  readonly #read: ReadPart
  readonly #backwards: boolean
  #rowsRead = 0
  /** Number of rows of the list; undefined before the first part. */
  #total: number | undefined
  /** Items that were read and not taken; the next one comes last. */
  #items: DatedKey[] = []
  #lastRow: DatedKey | undefined

  constructor(read: ReadPart, backwards: boolean) {
    this.#read = read
    this.#backwards = backwards
  }

  /** True when all items were taken. */
  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#rowsRead === this.#total
  }

  /**
   * The next item if it was read. Otherwise the last row that was read, which comes before all further items; undefined
   * before the first part.
   */
  get position(): DatedKey | undefined {
    return this.#items.at(-1) ?? this.#lastRow
  }

  /** Removes and returns the next item; undefined when another part must be read first. */
  take(): DatedKey | undefined {
    return this.#items.pop()
  }

  async readPart(): Promise<void> {
    if (this.#backwards) this.#total ??= (await this.#read({ offset: 0, limit: 1 })).total
    const remaining = (this.#total ?? Number.POSITIVE_INFINITY) - this.#rowsRead
    const limit = Math.min(rowsOfPart, remaining)
    if (limit === 0) return
    const part = await this.#read({ offset: this.#backwards ? remaining - limit : this.#rowsRead, limit })
    this.#rowsRead = Math.min(part.total, this.#rowsRead + limit)
    this.gaveUp = this.#rowsRead > maxRowsInParts || part.total !== (this.#total ?? part.total)
    this.#total = part.total
    this.#items = this.#backwards ? [...part.items] : part.items.toReversed()
    this.#lastRow = this.#backwards ? part.rows[0] : part.rows.at(-1)
  }
}
