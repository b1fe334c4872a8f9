import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CallInput } from '../../entries/operations.ts'
import { createEngine, type Engine } from '../../index.ts'
import type { createFlagEvents } from './create-flag-events.ts'

const hour = 3_600_000
const now = Date.UTC(2028, 1, 29)
const admin = { as: { role: 'admin' } } as const
const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

type Event = CallInput<typeof createFlagEvents>['body']['events'][number]

async function createApi(): Promise<Engine['api']> {
  const { api } = createEngine({ storage: createMemoryStorage(), clock: () => now })
  await api.createProject({ body: { key: 'web', name: 'Web' } }, admin)
  return api
}

it('flag events are the reported ones and the changes of flags, newest first', async () => {
  const api = await createApi()
  await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } }, admin)
  const switchPatch = (value: boolean) => [{ op: 'replace', path: '/environments/production/on', value }]
  await api.patchFlag({ projectKey: 'web', flagKey: 'f', body: switchPatch(true) }, admin)
  const reported = { flagKey: 'g', eventType: 'experimentStarted', hasExperiments: true }
  const events = [
    { ...reported, externalId: 'e1', eventTime: now - hour },
    { ...reported, externalId: 'e2', eventTime: now + hour },
  ]
  const createEvents = () => api.createFlagEvents({ body: { ...environmentKeys, events } }, admin)
  expect(await createEvents()).toEqual({ accepted: 2, added: 2, known: 0 })
  expect(await createEvents()).toEqual({ accepted: 2, added: 0, known: 2 })
  const types = async (query: object = {}) =>
    (await api.listFlagEvents({ ...environmentKeys, ...query }, admin)).items.map(
      (event) => `${event.source} ${event.eventType}`,
    )
  const [e, c] = ['events experimentStarted', 'changes turnedOn']
  expect(await types()).toEqual([e, c, e])
  expect(await types({ flagKey: 'f' })).toEqual([c])
  expect(await types({ source: 'events', to: now })).toEqual([e])
  const first = await api.listFlagEvents({ ...environmentKeys, limit: 2 }, admin)
  const after = new URLSearchParams(first._links.next?.href.split('?')[1]).get('after') ?? ''
  expect(await types({ after })).toEqual([e])
})

describe('reported flag events', () => {
  let api: Engine['api']
  // Every third event has an application, every fifth has an experiment, and every seventh has a global impact.
  const sizes = [0, 10, 20, 80, 81] as const
  const names = ['none', 'small', 'medium', 'medium', 'large'] as const
  const reported = Array.from({ length: 1_500 }, (_, i) => ({
    externalId: `e${String(i).padStart(4, '0')}`,
    flagKey: `f${i % 4}`,
    eventType: 'experimentStarted',
    // Four events have the same time.
    eventTime: now - Math.floor(i / 4) * 1000,
    ...(i % 3 === 0 ? { applicationKey: 'shop' } : {}),
    impactPercentage: sizes[i % 5] as number,
    impactReason: i % 7 === 0 ? ('global' as const) : ('evaluations' as const),
    hasExperiments: i % 5 === 0,
  }))
  const newestFirst = reported.toSorted((a, b) => b.eventTime - a.eventTime || (a.externalId < b.externalId ? 1 : -1))

  beforeAll(async () => {
    api = await createApi()
    await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } }, admin)
    const body = [{ op: 'replace', path: '/environments/production/on', value: true }]
    await api.patchFlag({ projectKey: 'web', flagKey: 'f', body }, admin)
    await api.createFlagEvents({ body: { ...environmentKeys, events: reported } }, admin)
  })

  const page = async (query: object) => {
    const { items, _links } = await api.listFlagEvents({ ...environmentKeys, ...query }, admin)
    const cursor = (name: 'next' | 'prev') => new URLSearchParams(_links[name]?.href.split('?')[1])
    return {
      ids: items.map(({ id }) => id),
      items,
      after: cursor('next').get('after'),
      before: cursor('prev').get('before'),
    }
  }

  const filters: readonly (readonly [
    query: object,
    wanted: (event: (typeof reported)[number], i: number) => boolean,
  ])[] = [
    [{}, () => true],
    [{ applicationKey: 'shop' }, ({ applicationKey }) => applicationKey === 'shop'],
    [{ impactSize: 'medium' }, ({ impactPercentage }) => names[sizes.indexOf(impactPercentage as 0)] === 'medium'],
    [{ impactSize: 'none', flagKey: 'f1,f2' }, (event) => event.impactPercentage === 0 && /[12]/.test(event.flagKey)],
    [{ hasExperiments: 'true' }, ({ hasExperiments }) => hasExperiments],
    [{ hasExperiments: 'false', global: 'include' }, ({ hasExperiments }) => !hasExperiments],
    [{ global: 'exclude' }, ({ impactReason }) => impactReason !== 'global'],
    [
      { hasExperiments: 'true', global: 'exclude', applicationKey: 'shop', impactSize: 'none', to: now - 50_000 },
      (event) =>
        event.hasExperiments &&
        event.impactReason !== 'global' &&
        'applicationKey' in event &&
        event.eventTime < now - 50_000,
    ],
  ]

  it.each(filters)('are filtered by %j, forward and backward', async (query, matches) => {
    const expected = newestFirst.filter(matches).map(({ externalId }) => externalId)
    const input = { source: 'events', limit: 7, ...query }
    const forwardIds: string[] = []
    let currentPage = await page(input)
    for (let pages = 0; pages < 12; pages++) {
      forwardIds.push(...currentPage.ids)
      if (!currentPage.after) break
      currentPage = await page({ ...input, after: currentPage.after })
    }
    expect(forwardIds).toEqual(expected.slice(0, forwardIds.length))
    expect(forwardIds.length).toBeGreaterThan(12)
    let backwardIds = [...currentPage.ids]
    while (currentPage.before) {
      currentPage = await page({ ...input, before: currentPage.before })
      backwardIds = [...currentPage.ids, ...backwardIds]
    }
    expect(backwardIds).toEqual(expected.slice(0, backwardIds.length))
    expect(backwardIds.length).toBeGreaterThanOrEqual(forwardIds.length)
  })

  it('are listed together with changes of flags, but filters by application, impact or experiment find no change', async () => {
    const first = await page({ limit: 1 })
    expect(first.items[0]).toMatchObject({ source: 'changes', hasExperiments: false })
    const second = await page({ limit: 1, after: first.after })
    expect(second.items[0]).toMatchObject({ source: 'events', impactSize: expect.any(String) })
    expect((await page({ limit: 1, before: second.before })).ids).toEqual(first.ids)
    const sources = async (query: object) =>
      new Set((await page({ ...query, from: now })).items.map((event) => event.source))
    for (const query of [{ global: 'exclude' }, { hasExperiments: 'false' }]) {
      expect(await sources(query)).toEqual(new Set(['changes', 'events']))
    }
    for (const query of [{ applicationKey: 'shop' }, { impactSize: 'none' }, { hasExperiments: 'true' }]) {
      expect(await sources(query)).toEqual(new Set(['events']))
    }
  })

  it('have the reported impact, and the impact size that belongs to its percentage', async () => {
    const listed = (await page({ source: 'events', limit: 100 })).items
    for (const { id, impactSize, impactPercentage, impactReason } of listed) {
      const event = reported.find(({ externalId }) => externalId === id)
      expect([impactPercentage, impactReason]).toEqual([event?.impactPercentage, event?.impactReason])
      expect(impactSize).toBe(names[sizes.indexOf(impactPercentage as 0)])
    }
  })

  it.each<[Partial<Event>, string, string]>([
    [{ impactSize: 'large', impactPercentage: 80 }, 'impactSize', 'must match impactPercentage'],
    [{ impactPercentage: 101 }, 'impactPercentage', 'must be at most 100'],
    [{ impactReason: 'guess' as never }, 'impactReason', 'must be one of evaluations, global, waiting'],
  ])('are rejected with %j', async (invalid, attribute, reason) => {
    const events = [{ externalId: 'x', flagKey: 'f', eventType: 'told', ...invalid }]
    await expect(api.createFlagEvents({ body: { ...environmentKeys, events } }, admin)).rejects.toMatchObject({
      errors: [{ attribute: `events.0.${attribute}`, reason }],
    })
  })

  it('are not listed with invalid filters', async () => {
    const invalidQuery = { impactSize: 'huge', hasExperiments: 'maybe', global: 'only', after: '1_a', before: '1_a' }
    const errors = await api
      .listFlagEvents({ ...environmentKeys, ...invalidQuery } as never, admin)
      .catch((error) => error.errors)
    const attributes = errors.map(({ attribute }: { attribute: string }) => attribute).sort()
    expect(attributes).toEqual(['global', 'hasExperiments', 'impactSize'])
    const bothCursors = api.listFlagEvents({ ...environmentKeys, after: '1_a', before: '1_a' } as never, admin)
    await expect(bothCursors).rejects.toMatchObject({
      errors: [{ attribute: 'before', reason: 'must not be combined with `after`' }],
    })
  })
})
