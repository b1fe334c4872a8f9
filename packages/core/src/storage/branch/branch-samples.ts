import { compareCodePoints } from '../code-point-order.ts'
import type { AccountStorage, NewestQuery, Sample, SampleColumns, ScanQuery, SeriesId, SetId } from '../port.ts'
import { type BranchParts, isCleared, readState } from './branch-state.ts'

/** Number of samples that are read in one request. */
const samplesPerRead = 1000

/** Returns the set of the ids of samples that a branch has deleted from a series of the trunk. */
export const deletedFrom = ({ name, scope }: SeriesId): SetId => ({ name: `~${name}`, scope })

type SampleReads = Pick<AccountStorage, 'scan' | 'newest'> & Required<Pick<AccountStorage, 'findSamples'>>

/**
 * Makes the reads of the samples of a branch: samples of the trunk that the branch has not deleted, and samples of the
 * branch.
 */
export function branchSamples(parts: BranchParts): SampleReads {
  const { trunk, own } = parts
  const showsTrunk = async ({ name, scope }: SeriesId) => {
    const state = await readState(parts)
    return !parts.ownSeries.has(name) && !isCleared(state, scope)
  }

  /** Returns which of these ids the branch has deleted. */
  const hiddenIn = async (series: SeriesId, ids: readonly string[]) =>
    new Set(await own.findKeys(deletedFrom(series), ids))

  async function newest(query: NewestQuery): Promise<Sample[]> {
    const { series, limit, since } = query
    const [isShown, added] = await Promise.all([showsTrunk(series), own.newest(query)])
    if (!isShown) return added
    const retainedSamples: Sample[] = []
    for (let next = query; retainedSamples.length < limit; ) {
      const page = await trunk.newest(next)
      const hidden = await hiddenIn(
        series,
        page.map(({ id }) => id),
      )
      retainedSamples.push(...page.filter(({ id }) => !hidden.has(id)))
      const end = since ? page[0] : page.at(-1)
      if (!end || page.length < limit) break
      const cursor = { at: end.at, id: end.id }
      next = since ? { ...query, since: cursor } : { ...query, before: cursor }
    }
    const ids = new Set(added.map(({ id }) => id))
    const merged = [...retainedSamples.filter(({ id }) => !ids.has(id)), ...added].sort(newestFirst)
    return since ? merged.slice(-limit) : merged.slice(0, limit)
  }

  return {
    newest,
    async scan(query) {
      const { series } = query
      const [isShown, added, deleted] = await Promise.all([
        showsTrunk(series),
        own.newest({ series, limit: 1 }),
        own.countKeys(deletedFrom(series)),
      ])
      if (!isShown) return own.scan(query)
      return added.length + deleted === 0 ? trunk.scan(query) : columnsOf(await samplesIn(newest, query), query)
    },
    async findSamples(series, ids) {
      const added = new Set((await own.findSamples?.(series, ids)) ?? [])
      if (!(await showsTrunk(series))) return [...added]
      const hidden = await hiddenIn(series, ids)
      for (const id of (await trunk.findSamples?.(series, ids)) ?? []) if (!hidden.has(id)) added.add(id)
      return [...added]
    },
  }
}

/** Returns the samples of a scan, newest first. */
async function samplesIn(
  newest: AccountStorage['newest'],
  { series, from, to, labels }: ScanQuery,
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for (let before = { at: to, id: '' }; ; ) {
    const page = await newest({ series, from, before, limit: samplesPerRead, ...(labels && { labels }) })
    samples.push(...page)
    const last = page.at(-1)
    if (!last || page.length < samplesPerRead) return samples
    before = { at: last.at, id: last.id }
  }
}

function columnsOf(newestSamples: readonly Sample[], { columns }: ScanQuery): SampleColumns {
  const samples = newestSamples.toReversed()
  const labels = [...new Set(samples.map(({ label }) => label))]
  const indexes = new Map(labels.map((label, index) => [label, index]))
  return {
    at: Float64Array.from(samples, ({ at }) => at),
    labels,
    label: Uint32Array.from(samples, ({ label }) => indexes.get(label) ?? 0),
    values: Array.from({ length: columns }, (_, column) =>
      Float64Array.from(samples, ({ values }) => values[column] ?? Number.NaN),
    ),
  }
}

function newestFirst(a: Sample, b: Sample): number {
  return b.at - a.at || compareCodePoints(b.id, a.id)
}
