import { type EvaluationContext, subjectOf } from '../../rules/evaluation/subject.ts'
import { keysOfContext } from '../../rules/sdk-protocol/sdk-events.ts'

/** Maximum number of contexts that are kept for an environment. */
const maxKept = 1_000

/**
 * The contexts for which flags of an environment were evaluated last: in this process, by clients that this process
 * evaluates for, and by SDKs that report to it. In memory only.
 */
export class RecentContexts {
  /** A ring, so that adding allocates nothing: every evaluation adds its context. */
  readonly #ring: EvaluationContext[] = []
  #next = 0
  #last: EvaluationContext | undefined

  /** Adds a context that was evaluated. Keeps a reference to it and reads it later, because evaluation must stay fast. */
  add(context: EvaluationContext): void {
    // A program evaluates many flags for a context, one after the other.
    if (context === this.#last) return
    this.#last = context
    this.#ring[this.#next] = context
    this.#next = (this.#next + 1) % maxKept
  }

  /** Returns the valid contexts, newest first, of several with the same keys the newest one. */
  list(): readonly EvaluationContext[] {
    const newestFirst = [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)].reverse()
    const listed = new Map<string, EvaluationContext>()
    for (const context of newestFirst) {
      if (typeof subjectOf(context) === 'string') continue
      const name = JSON.stringify(keysOfContext(context))
      if (!listed.has(name)) listed.set(name, context)
    }
    return [...listed.values()]
  }
}
