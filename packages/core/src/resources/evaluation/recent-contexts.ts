import { type EvaluationContext, subjectOf } from '../../rules/evaluation/subject.ts'
import { keysOfContext } from '../../rules/sdk-protocol/sdk-events.ts'

/** Maximum number of contexts that are kept for an environment. */
const maxListed = 1_000

/**
 * The contexts for which flags of an environment were evaluated last: in this process, by clients that this process
 * evaluates for, and by SDKs that report to it. In memory only.
 */
export class RecentContexts {
  /** A ring buffer, so that adding allocates nothing: every evaluation adds its context. */
  readonly #ring: (EvaluationContext | undefined)[] = new Array(maxListed).fill(undefined)
  #newest = 0
  #last: EvaluationContext | undefined

  /**
   * Adds a context that was evaluated. Keeps a reference to it and reads it later, because evaluation must stay fast.
   */
  add(context: EvaluationContext): void {
    // A program often evaluates many flags for one context, one after the other, so the last context is compared first.
    if (context === this.#last) return
    this.#last = context
    this.#newest = (this.#newest + 1) % maxListed
    this.#ring[this.#newest] = context
  }

  /**
   * Returns at most 1,000 valid contexts, newest first. If several contexts have the same keys, only the newest is
   * returned.
   */
  list(): readonly EvaluationContext[] {
    const oldest = this.#newest + 1
    const newestFirst = [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)].reverse()
    const listed = new Map<string, EvaluationContext>()
    for (const context of newestFirst) {
      if (!context || typeof subjectOf(context) === 'string') continue
      const name = JSON.stringify(keysOfContext(context))
      if (!listed.has(name)) listed.set(name, context)
    }
    return [...listed.values()]
  }
}
