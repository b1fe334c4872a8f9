import type { Change, CommitOutcome } from '@halyard/core/storage'
import type { Notice } from './notice.ts'
import { type Named, namedBy } from './one-step.ts'

/** A batch, and what others are told when it is committed. */
export interface NoticedBatch {
  readonly batch: readonly Change[]
  readonly notice: Notice | undefined
}

/** How batches are written. */
export interface CommitWriter {
  /** Writes one. */
  alone(given: NoticedBatch): Promise<CommitOutcome>
  /** Writes several that do not get in each other's way; resolves with undefined when nothing of them was written. */
  together(given: readonly NoticedBatch[]): Promise<readonly CommitOutcome[] | undefined>
}

interface Waiting extends NoticedBatch {
  readonly named: Named
  readonly resolve: (outcome: CommitOutcome) => void
  readonly reject: (error: unknown) => void
}

/** Writes that are under way before one waits for the others. */
const mostUnderWay = 2

/** How long one waits for them at most, ms: where a row is locked by somebody else, only those wait who want it. */
const patienceMs = 5

/** Batches that are written together: more would not be cheaper, and all of them wait for the slowest. */
const mostTogether = 50

/** Documents, tasks and samples of a batch that may wait: a larger one is worth a statement of its own. */
const mostNamed = 100

/**
 * Lets batches that arrive while others are under way wait for one of those to land, and writes all that have gathered
 * by then as one: a statement, a transaction and a wait for the disk cost nearly the same for ten changes as for one.
 * Who is alone never waits. Each batch has its own outcome: if one of them cannot be written, none is, and each goes
 * by itself.
 *
 * @returns commits a batch.
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
    // Before anybody goes on, who may commit again at once.
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

/** Whether neither changes what the other names. */
function goesWith(named: Named, others: Named): boolean {
  for (const [name, version] of named) {
    const other = others.get(name)
    if (other !== undefined && (other === 'changed' || other !== version)) return false
  }
  return true
}
