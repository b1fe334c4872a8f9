import type { AccountStorage, Sample, SeriesId } from './port.ts'

/**
 * Returns the ids of the given samples that a series already contains. A storage without `findSamples` finds a sample
 * only if the stored sample has the same time.
 *
 * @param samples samples to append, in any order.
 */
export async function findSamples(
  storage: Pick<AccountStorage, 'findSamples' | 'newest'>,
  series: SeriesId,
  samples: readonly Sample[],
): Promise<readonly string[]> {
  const ids = [...new Set(samples.map(({ id }) => id))]
  if (storage.findSamples) return storage.findSamples(series, ids)
  const requested = new Set(ids)
  const sampleIds: string[] = []
  for (const at of new Set(samples.map((sample) => sample.at))) {
    let before = { at: at + 1, id: '' }
    for (;;) {
      const page = await storage.newest({ series, limit: pageSize, from: at, before })
      sampleIds.push(...page.map(({ id }) => id).filter((id) => requested.has(id)))
      const last = page.at(-1)
      if (!last || page.length < pageSize) break
      before = last
    }
  }
  return sampleIds
}

const pageSize = 1000
