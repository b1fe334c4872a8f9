/** The place of a writer in the lines of some documents. */
export interface Place {
  readonly documents: ReadonlySet<string>
  /** True while new writers have to wait for this one. */
  blocks: boolean
  /** Lets the next writers have their turn. */
  leave(): void
}

/**
 * One line of writers for each document, first in, first out. A writer that has lost a race for a document joins its
 * line. A new writer joins it too when another one waits in it, or when the only one there blocks new writers; otherwise
 * it may race with that one.
 *
 * Lines are in memory and exist only while a writer is in them. Correctness does not depend on them, because each commit
 * checks versions.
 */
export class WriterLines {
  /** The last writer of each line. */
  readonly #last = new Map<string, WaitingPlace>()

  /** Returns true when a new writer of these documents has to join their lines. */
  mustJoin(documents: ReadonlySet<string>): boolean {
    if (this.#last.size === 0) return false
    for (const document of documents) if (this.#last.get(document)?.blocks) return true
    return false
  }

  /** Joins the lines at their ends, all at the same moment. Resolves when the writer is the first in each of them. */
  async join(documents: ReadonlySet<string>): Promise<Place> {
    const ahead = new Set<WaitingPlace>()
    for (const document of documents) {
      const last = this.#last.get(document)
      if (last) ahead.add(last)
    }
    const place = this.#append(documents)
    if (ahead.size === 0) return place
    place.blocks = true
    await Promise.all([...ahead].map((other) => new Promise<void>((resolve) => other.onLeave.push(resolve))))
    place.blocks = false
    return place
  }

  #append(documents: ReadonlySet<string>): WaitingPlace {
    const place: WaitingPlace = {
      documents,
      blocks: false,
      onLeave: [],
      leave: () => {
        for (const document of documents) if (this.#last.get(document) === place) this.#last.delete(document)
        for (const resolve of place.onLeave.splice(0)) resolve()
      },
    }
    for (const document of documents) this.#last.set(document, place)
    return place
  }
}

interface WaitingPlace extends Place {
  /** Functions that are called when this writer leaves. */
  readonly onLeave: (() => void)[]
}
