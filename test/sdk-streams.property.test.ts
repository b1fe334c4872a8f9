import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSdkFixture, environmentKeys, eventsOf, type SentEvent } from './setup/sdk-fixture.ts'

type Kind = 'flags' | 'segments'

/**
 * The data of a server-side SDK, stored as the SDKs of the reference API do: a patch applies only with a higher
 * version.
 */
function createSdkStore() {
  const items: Record<Kind, Map<string, { version: number; deleted?: true }>> = {
    flags: new Map(),
    segments: new Map(),
  }
  const upsert = (path: string, item: { version: number; deleted?: true }) => {
    const [, kind, key] = /^\/(flags|segments)\/(.*)$/.exec(path) as unknown as [string, Kind, string]
    if ((items[kind].get(key)?.version ?? -1) < item.version) items[kind].set(key, item)
  }
  return {
    apply({ event, data }: SentEvent) {
      const { path, data: item, version } = data as { path: string; data: never; version: number }
      if (event === 'patch') upsert(path, item)
      else if (event === 'delete') upsert(path, { version, deleted: true })
      else for (const kind of ['flags', 'segments'] as const) items[kind] = new Map(Object.entries(item[kind]))
    },
    all: () =>
      Object.fromEntries(
        Object.entries(items).map(([kind, itemsByKey]) => [
          kind,
          Object.fromEntries([...itemsByKey].filter(([, { deleted }]) => !deleted)),
        ]),
      ),
  }
}

const key = fc.constantFrom('inner', 'new')
const segment = fc.constantFrom('beta', 'other')
// Weights that make creation, deletion and recreation frequent.
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('create', 'delete', 'on', 'off', 'archive', 'restore'), key }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('createSegment', 'deleteSegment', 'changeSegment'), key: segment }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'createConfig',
        'createConfig',
        'deleteConfig',
        'patchVariation',
        'patchSnippet',
        'patchModel',
      ),
      // A config with the key `new` conflicts with a flag.
      key: fc.constantFrom('new', 'chat'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('renameEnvironment', 'forget', 'beat'), key: fc.constant('') }),
  },
)

it('after any sequence of changes an SDK holds the same data as a new connection receives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), fc.nat(14), async (steps, secondStreamAt) => {
      const { engine, api, as, keys, turn, patchEnvironment } = await createSdkFixture(createMemoryStorage())
      const handler = withSdk(createFetchHandler(engine), engine)
      const get = (path: string) =>
        handler(new Request(`http://localhost${path}`, { headers: { authorization: keys.server } }))
      const flagPatch = (flagKey: string, value: boolean) =>
        api.patchFlag(
          { projectKey: 'web', flagKey, body: [{ op: 'replace', path: '/archived', value }] as never },
          { as },
        )
      await api.createPromptSnippet(
        { projectKey: 'web', body: { key: 'tone', name: 'Tone', text: 'Be kind.' } },
        { as },
      )
      await api.createModelConfig({ projectKey: 'web', body: { key: 'large', name: 'Large', id: 'large-1' } }, { as })
      const message = (content: string) => ({ role: 'system', content })
      let count = 0
      const changes: Record<string, (key: string) => Promise<unknown>> = {
        create: (key) => api.createFlag({ projectKey: 'web', body: { key, name: key } }, { as }),
        delete: (flagKey) => api.deleteFlag({ projectKey: 'web', flagKey }, { as }),
        on: (key) => turn(key, true),
        off: (key) => turn(key, false),
        archive: (key) => flagPatch(key, true),
        restore: (key) => flagPatch(key, false),
        createSegment: (key) => api.createSegment({ ...environmentKeys, body: { key, name: key } }, { as }),
        deleteSegment: (segmentKey) => api.deleteSegment({ ...environmentKeys, segmentKey }, { as }),
        changeSegment: (segmentKey) =>
          api.patchSegment(
            {
              ...environmentKeys,
              segmentKey,
              body: [{ op: 'add', path: '/included/-', value: `k${count++}` }] as never,
            },
            { as },
          ),
        createConfig: (key) => {
          const defaultVariation = { key: 'a', name: 'A', modelConfigKey: 'large', messages: [message('{{> tone }}')] }
          return api.createAIConfig({ projectKey: 'web', body: { key, name: key, defaultVariation } }, { as })
        },
        deleteConfig: (configKey) => api.deleteAIConfig({ projectKey: 'web', configKey }, { as }),
        patchVariation: (configKey) =>
          api.patchAIConfigVariation(
            { projectKey: 'web', configKey, variationKey: 'a', body: { messages: [message(`prompt ${count++}`)] } },
            { as },
          ),
        patchSnippet: () =>
          api.patchPromptSnippet({ projectKey: 'web', snippetKey: 'tone', body: { text: `text ${count++}` } }, { as }),
        patchModel: () =>
          api.patchModelConfig(
            { projectKey: 'web', modelConfigKey: 'large', body: { params: { k: count++ } } },
            { as },
          ),
        renameEnvironment: () => patchEnvironment({ op: 'replace', path: '/name', value: `Name ${count++}` }),
        forget: async () => engine.clearCaches(),
        beat: () => engine.sdk.beat(),
      }
      const streams: { events: ReturnType<typeof eventsOf>; sdk: ReturnType<typeof createSdkStore> }[] = []
      const openStream = async () =>
        streams.push({ events: eventsOf((await get('/all')).body as never), sdk: createSdkStore() })
      await openStream()
      for (const [index, { do: change, key }] of steps.entries()) {
        if (index === secondStreamAt) await openStream()
        // Some changes are refused because their flag or segment is missing or exists already; those change nothing.
        await changes[change]?.(key).catch(() => {})
      }
      // All events have been written when this poll returns. The end of each stream therefore comes after all events.
      await get('/sdk/latest-all')
      const current = await (await get('/sdk/latest-all')).json()
      engine.sdk.endStreams()
      for (const { events, sdk } of streams) {
        for (let event = await events.next(); event; event = await events.next()) sdk.apply(event)
        expect(sdk.all()).toEqual(current)
      }
    }),
    { numRuns: 25 },
  )
})
