import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { flags } from '../../../models/flags/flag.ts'
import { flagConfigs } from '../../../models/flags/flag-config.ts'
import type { AccountStorage, Change, Condition, ListQuery } from '../../../storage/port.ts'
import { StorageReader } from '../../../storage/reader.ts'
import { flagsByTargetingDate } from './flags-by-targeting-date.ts'

const keys = { projectKey: 'web', environmentKey: 'production' }

interface FlagTimes {
  readonly key: string
  readonly createdAt: number
  /** Absent for a flag without a stored configuration. */
  readonly changedAt?: number
  readonly tagged: boolean
}

/** Stores flags, of which only the fields that lists read exist. */
async function storageOf(all: readonly FlagTimes[]): Promise<AccountStorage> {
  const storage = createMemoryStorage().account('test')
  const changes = all.flatMap(({ key, createdAt, changedAt, tagged }): Change[] => {
    const flagFields = { createdAt, tags: tagged ? ['tagged'] : [] }
    return [
      { do: 'insert', id: flags.id({ ...keys, flagKey: key }), body: { key }, fields: flagFields },
      ...(changedAt === undefined
        ? []
        : [insertOf(flagConfigs.id({ ...keys, flagKey: key }), { lastModified: changedAt })]),
    ]
  })
  await storage.commit(changes)
  return storage
}

function insertOf(id: Extract<Change, { do: 'insert' }>['id'], fields: { readonly lastModified: number }): Change {
  return { do: 'insert', id, body: {}, fields }
}

const hasTag: Condition = { op: 'equals', field: 'tags', value: 'tagged' }

/** Returns the keys of a page by sorting all flags. */
function expectedKeys(all: readonly FlagTimes[], onlyTagged: boolean, descending: boolean): string[] {
  const at = ({ changedAt, createdAt }: FlagTimes) => changedAt ?? createdAt
  return all
    .filter((flag) => flag.tagged || !onlyTagged)
    .toSorted((a, b) => (descending ? at(b) - at(a) : at(a) - at(b)) || (a.key < b.key ? -1 : 1))
    .map(({ key }) => key)
}

/** Arbitrary flags, with few different times, so that many are equal. */
function flagTimes(maxLength: number): fc.Arbitrary<readonly FlagTimes[]> {
  const time = fc.integer({ min: 1, max: 300 })
  const one = fc.record({ createdAt: time, changedAt: fc.option(time, { nil: undefined }), share: fc.nat(99) })
  return fc
    .tuple(fc.array(one, { maxLength, size: 'max' }), fc.constantFrom(2, 50, 98), fc.boolean())
    .map(([all, share, haveAllConfigs]) =>
      all.map(({ share: number, createdAt, changedAt = haveAllConfigs ? createdAt : undefined }, index) => ({
        key: `flag-${(index * 7919) % 10_007}`,
        createdAt,
        ...(changedAt === undefined ? {} : { changedAt }),
        tagged: number < share,
      })),
    )
}

it('pages of flags by the last change of their targeting are parts of the sorted list', async () => {
  const positions = fc.record({
    onlyTagged: fc.boolean(),
    descending: fc.boolean(),
    limit: fc.integer({ min: 1, max: 40 }),
    offset: fc.double({ min: 0, max: 1.05, noNaN: true }),
  })
  const pages = fc.array(positions, { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.oneof(flagTimes(400), flagTimes(3_000)), pages, async (all, positionsOfPages) => {
      const tx = new StorageReader(await storageOf(all))
      for (const { onlyTagged, descending, limit, offset: share } of positionsOfPages) {
        const sorted = expectedKeys(all, onlyTagged, descending)
        const offset = Math.floor(share * sorted.length)
        const selection = { where: onlyTagged ? [hasTag] : [], descending }
        const page = await flagsByTargetingDate(tx, keys, selection, { offset, limit })
        expect(page.items.map(({ key }) => key)).toEqual(sorted.slice(offset, offset + limit))
        expect(page.total).toBe(sorted.length)
      }
    }),
    { numRuns: 20 },
  )
})

/** Stores 5,000 flags, and counts the rows of the lists of a page. */
async function manyFlags(changedAtOf: (index: number) => number | undefined) {
  const all = Array.from({ length: 5_000 }, (_, index): FlagTimes => {
    const changedAt = changedAtOf(index)
    const times = { key: `flag-${index}`, createdAt: index, tagged: true }
    return changedAt === undefined ? times : { ...times, changedAt }
  })
  const storage = await storageOf(all)
  let rows = 0
  const list = async (query: ListQuery) => {
    const page = await storage.list(query)
    rows += page.items.length
    return page
  }
  const tx = new StorageReader({ ...storage, list })
  return async (offset: number, descending: boolean) => {
    rows = 0
    const { items } = await flagsByTargetingDate(tx, keys, { where: [hasTag], descending }, { offset, limit: 20 })
    expect(items.map(({ key }) => key)).toEqual(expectedKeys(all, true, descending).slice(offset, offset + 20))
    return rows
  }
}

it.each<[configs: string, changedAt: (index: number) => number | undefined]>([
  ['all flags have a stored configuration', (index) => 10_000 - index],
  ['all flags have a stored configuration that was last changed when they were created', (index) => index],
  ['a third of the flags have a stored configuration', (index) => (index % 3 === 0 ? 10_000 - index : undefined)],
  ['no flag has a stored configuration', () => undefined],
])('pages near the ends of the list by the last change are read from few rows when %s', async (_, changedAtOf) => {
  const rowsOfPage = await manyFlags(changedAtOf)
  for (const descending of [false, true]) {
    for (const offset of [0, 40, 4_980]) expect(await rowsOfPage(offset, descending)).toBeLessThan(1_000)
  }
})

it('the newest changes are read from few rows when nearly all flags were changed after the last creation', async () => {
  const rowsOfPage = await manyFlags((index) => (index === 2_500 ? undefined : 5_000 + index))
  for (const offset of [0, 40]) expect(await rowsOfPage(offset, true)).toBeLessThan(1_000)
})
