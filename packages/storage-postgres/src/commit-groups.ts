import type { Change, CommitOutcome } from '@halyard/core/storage'
import type { Notice } from './notice.ts'
import { type Named, namedBy } from './one-step.ts'

/** A batch, and the notice that other storage objects receive when it is committed. */
export interface NoticedBatch {
  readonly batch: readonly Change[]
  readonly notice: Notice | undefined
}

/** Writes batches to the database. */
export interface CommitWriter {
  /** Writes one batch. */
  alone(given: NoticedBatch): Promise<CommitOutcome>
  /** Writes several independent batches. Resolves with undefined when none of them was written. */
  together(given: readonly NoticedBatch[]): Promise<readonly CommitOutcome[] | undefined>
}

interface Waiting extends NoticedBatch {
  readonly named: Named
  readonly resolve: (outcome: CommitOutcome) => void
  readonly reject: (error: unknown) => void
}

/** Number of concurrent writes above which a batch waits for one of them. */
const mostUnderWay = 2

/**
 * Maximum time that a batch waits, ms. When another transaction has locked a row, only the batches that write this row
 * should wait for it.
 */
const patienceMs = 5

/**
 * Maximum number of batches that are written together: more would not be cheaper, and all of them wait for the slowest.
 */
const mostTogether = 50

/**
 * Maximum number of documents, tasks and samples of a batch that may wait. A larger batch justifies a statement of its
 * own.
 */
const mostNamed = 100

/**
 * Groups commits: batches that arrive while other writes are running wait until one of those ends. All batches that
 * have arrived by then are written as one, because a statement, a transaction and a wait for the disk cost nearly the
 * same for ten changes as for one.
 *
 * A batch that arrives while nothing is running never waits. Each batch has its own outcome: when one batch of a group
 * cannot be written, none of the group is, and each is then written by itself.
 *
 * @returns a function that commits a batch.
 */
export function commitGroups(writer: CommitWriter): (given: NoticedBatch) => Promise<CommitOutcome> {
  let waiting: Waiting[] = []
  let underWay = 0
  let patience: ReturnType<typeof setTimeout> | undefined

  function launch(): void {
    clearTimeout(patience)
    patience = undefined
    const group: Waiting[] = []
    const later: Waiting[] = []
    const named = new Map<string, number | 'changed'>()
    for (const one of waiting) {
      if (group.length < mostTogether && goesWith(one.named, named)) {
        group.push(one)
        for (const [name, version] of one.named) named.set(name, version)
      } else later.push(one)
    }
    waiting = later
    if (waiting.length > 0) patience = setTimeout(launch, patienceMs)
    void write(group)
  }

  async function write(group: readonly Waiting[]): Promise<void> {
    const [first, ...others] = group
    underWay++
    let outcomes: readonly CommitOutcome[] | undefined
    try {
      outcomes = first && others.length === 0 ? [await writer.alone(first)] : await writer.together(group)
    } catch (error) {
      landed()
      for (const { reject } of group) reject(error)
      return
    }
    // Before any caller continues, because it may commit again at once.
    landed()
    for (const [i, one] of group.entries()) {
      const outcome = outcomes?.[i]
      if (outcome) one.resolve(outcome)
      else writer.alone(one).then(one.resolve, one.reject)
    }
  }

  function landed(): void {
    underWay--
    if (waiting.length > 0) launch()
  }

  return (given) => {
    const named = namedBy(given.batch)
    if (!named || named.size === 0 || named.size > mostNamed) return writer.alone(given)
    return new Promise((resolve, reject) => {
      waiting.push({ ...given, named, resolve, reject })
      if (underWay < mostUnderWay) launch()
      else patience ??= setTimeout(launch, patienceMs)
    })
  }
}

/** Returns whether neither batch changes a document, task or sample that the other one changes or expects. */
function goesWith(named: Named, others: Named): boolean {
  for (const [name, version] of named) {
    const other = others.get(name)
    if (other !== undefined && (other === 'changed' || other !== version)) return false
  }
  return true
}
