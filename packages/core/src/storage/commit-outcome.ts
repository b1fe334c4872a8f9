import { DocumentMap } from './document-map.ts'
import { findSamples } from './find-samples.ts'
import {
  type AccountStorage,
  type Change,
  type CommitOutcome,
  type DocumentId,
  isUnder,
  type QueueId,
  type SeriesId,
  type SetId,
  type Task,
} from './port.ts'

type Refusal = Exclude<CommitOutcome['outcome'], 'committed'>

/**
 * Returns the outcome that a commit would have, and changes nothing: the precondition that fails first, or the counts.
 *
 * It reads what a commit checks: the versions of documents, and which of the keys, samples and tasks exist. Counts that
 * no writer returns (of `clear`, `discard-all`, `finish`, `postpone` and `load`) are 0.
 *
 * @param batch all changes, in order; each is checked in the state that the previous ones leave.
 */
export async function commitOutcome(stored: AccountStorage, batch: readonly Change[]): Promise<CommitOutcome> {
  const [versions, elements] = await Promise.all([readVersions(stored, batch), readElements(stored, batch)])
  const counts: number[] = []
  for (const [change, item] of batch.entries()) {
    if (item.do === 'clear') {
      versions.clear(item.scope)
      for (const kind of Object.values(elements)) kind.clear(item.scope)
    }
    const refusal = 'id' in item ? versions.refusalOf(item) : undefined
    if (refusal) return { outcome: refusal, change }
    counts.push('id' in item ? countOfDocument(item) : await countOf(stored, elements, item))
  }
  return { outcome: 'committed', counts }
}

type DocumentChange = Extract<Change, { readonly id: DocumentId }>

function countOfDocument({ do: verb }: DocumentChange): number {
  return verb === 'insert' || verb === 'replace' || verb === 'remove' ? 1 : 0
}

async function countOf(
  stored: AccountStorage,
  { keys, samples, tasks }: NamedElements,
  change: Change,
): Promise<number> {
  switch (change.do) {
    case 'add-keys':
      return keys.add(change.set, change.keys)
    case 'remove-keys':
      return keys.remove(change.set, change.keys)
    case 'move-keys':
      return stored.countKeys(change.from, change.into)
    case 'append':
      return samples.add(change.series, idsOf(change.samples))
    case 'delete-samples':
      return samples.remove(change.series, change.ids)
    case 'trim':
      return (await stored.scan({ series: change.series, from: 0, to: change.before, columns: 0 })).at.length
    case 'enqueue':
      return tasks.add(change.queue, idsOf(change.tasks))
    default:
      return 0
  }
}

/**
 * Reads the versions of the documents that a batch names. After a change is checked, it counts as made for the
 * following changes.
 */
async function readVersions(stored: AccountStorage, batch: readonly Change[]) {
  const ids = batch.flatMap((change) => ('id' in change ? [change.id] : []))
  const documents = ids.length === 0 ? [] : await stored.getMany(ids)
  const versions = new DocumentMap<number | undefined>()
  for (const [index, id] of ids.entries()) versions.set(id, documents[index]?.version)
  return {
    refusalOf(change: DocumentChange): Refusal | undefined {
      const version = versions.get(change.id)
      if (change.do === 'insert' && version !== undefined) return 'exists'
      if ('version' in change && version !== change.version) return version === undefined ? 'missing' : 'conflict'
      versions.set(change.id, versionAfter(change, version))
      return undefined
    },
    clear(scope: string): void {
      for (const id of ids) if (isUnder(id.scope, scope)) versions.set(id, undefined)
    },
  }
}

function versionAfter(change: DocumentChange, version: number | undefined): number | undefined {
  switch (change.do) {
    case 'insert':
      return 1
    case 'replace':
      return change.version + 1
    case 'ensure':
      return version ?? 1
    case 'expect':
      return version
    default:
      return undefined
  }
}

/** A set, a series or a queue. */
type ElementsId = SetId | SeriesId | QueueId

/** The keys of sets, samples of series and tasks of queues that a batch names. */
interface NamedElements {
  readonly keys: Elements
  readonly samples: Elements
  readonly tasks: Elements
}

/**
 * The existing elements among those that a batch names, updated as the changes of the batch are made one after the
 * other.
 */
class Elements {
  readonly #present = new Map<string, { readonly scope: string; readonly ids: Set<string> }>()

  load(id: ElementsId, existing: readonly string[]): void {
    const ids = this.#of(id)
    for (const element of existing) ids.add(element)
  }

  /** Returns the number of elements that did not exist. */
  add(id: ElementsId, added: readonly string[]): number {
    const ids = this.#of(id)
    const before = ids.size
    for (const element of added) ids.add(element)
    return ids.size - before
  }

  /** Returns the number of elements that existed. */
  remove(id: ElementsId, removed: readonly string[]): number {
    const ids = this.#of(id)
    return removed.filter((element) => ids.delete(element)).length
  }

  clear(ancestor: string): void {
    for (const { scope, ids } of this.#present.values()) if (isUnder(scope, ancestor)) ids.clear()
  }

  #of({ name, scope }: ElementsId): Set<string> {
    const key = `${name.length}:${name}${scope}`
    const existing = this.#present.get(key) ?? { scope, ids: new Set() }
    this.#present.set(key, existing)
    return existing.ids
  }
}

async function readElements(stored: AccountStorage, batch: readonly Change[]): Promise<NamedElements> {
  const changedElements = { keys: new Elements(), samples: new Elements(), tasks: new Elements() }
  await Promise.all(
    batch.map(async (change) => {
      switch (change.do) {
        case 'add-keys':
        case 'remove-keys':
          return changedElements.keys.load(change.set, await stored.findKeys(change.set, change.keys))
        case 'append':
          return changedElements.samples.load(change.series, await findSamples(stored, change.series, change.samples))
        case 'delete-samples':
          return changedElements.samples.load(
            change.series,
            (await stored.findSamples?.(change.series, change.ids)) ?? [],
          )
        case 'enqueue':
          return changedElements.tasks.load(change.queue, await findTasks(stored, change.queue, change.tasks))
        default:
          return undefined
      }
    }),
  )
  return changedElements
}

const pageSize = 1000

/**
 * Returns which of the tasks wait in a queue. It searches by `at`, because a task that is enqueued again has the same
 * `at`.
 */
async function findTasks(stored: AccountStorage, queue: QueueId, tasks: readonly Task[]): Promise<string[]> {
  const requested = new Set(idsOf(tasks))
  const times = tasks.map(({ at }) => at)
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const conflicts: string[] = []
  // No id is empty, so a cursor without id comes before all tasks of its time.
  let after = { at: times.reduce((a, b) => Math.min(a, b), last), id: '' }
  while (requested.size > 0) {
    const page = await stored.listTasks(queue, { after, limit: pageSize })
    conflicts.push(...idsOf(page).filter((id) => requested.has(id)))
    const end = page.at(-1)
    if (!end || page.length < pageSize || end.at > last) return conflicts
    after = end
  }
  return conflicts
}

function idsOf(elements: readonly { readonly id: string }[]): string[] {
  return elements.map(({ id }) => id)
}
