import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import { createEngine, type Engine } from '../../index.ts'
import { laggingStorage } from '../../storage/test/lagging-storage.ts'
import { comparableResponse, get } from '../test/requests.ts'

const start = Date.UTC(2026, 0, 1)
const flagKeys = ['f', 'g'] as const
const tags = fc.subarray(['a', 'b'])
const replaceAt = (path: string, value: unknown) => [{ op: 'replace', path, value }]

/** Requests of every kind: one resource, lists, an expansion, counts of other resources, access, time. */
const paths = [
  'projects/web',
  'projects?limit=5',
  'projects/web/environments',
  ...flagKeys.flatMap((key) => [`flags/web/${key}`, `flags/web/${key}?env=test`]),
  'flags/web',
  'flags/web?tag=a',
  'flags/web?sort=-creationDate',
  'flag-statuses/web/test/f',
  'segments/web/test',
  'segments/web/test/s',
  'segments/web/test/s/expiring-targets/test',
  'segments/web/s/expiring-targets/test',
  'roles',
  'teams/t?expand=members,roles',
  'teams',
  'members',
  'tokens',
  'auditlog',
]

type Step = (engine: Engine, as: string, clock: { now: number }) => Promise<unknown>

const roleOf = (resources: readonly string[]): readonly Statement[] => [
  { effect: 'allow', actions: ['*'], resources: [...resources] },
]

const flagKey = fc.constantFrom(...flagKeys)
const write: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(flagKey, tags).map(
    ([flagKey, value]): Step =>
      ({ api }, as) =>
        api.patchFlag({ projectKey: 'web', flagKey, body: replaceAt('/tags', value) } as never, { as }),
  ),
  fc.tuple(flagKey, fc.boolean()).map(
    ([flagKey, on]): Step =>
      ({ api }, as) =>
        api.patchFlag({ projectKey: 'web', flagKey, body: replaceAt('/environments/test/on', on) } as never, {
          as,
        }),
  ),
  flagKey.map(
    (key): Step =>
      ({ api }, as) =>
        api.createFlag({ projectKey: 'web', body: { key, name: key } }, { as }),
  ),
  flagKey.map(
    (flagKey): Step =>
      ({ api }, as) =>
        api.deleteFlag({ projectKey: 'web', flagKey }, { as }),
  ),
  tags.map(
    (value): Step =>
      ({ api }, as) =>
        api.patchProject({ projectKey: 'web', body: replaceAt('/tags', value) } as never, { as }),
  ),
  fc.subarray(['u', 'v']).map(
    (value): Step =>
      ({ api }, as) =>
        api.patchSegment(
          { projectKey: 'web', environmentKey: 'test', segmentKey: 's', body: replaceAt('/included', value) } as never,
          { as },
        ),
  ),
  fc.tuple(fc.constantFrom('u', 'v'), fc.integer({ min: 1, max: 40 })).map(
    ([contextKey, after]): Step =>
      ({ api }, as, clock) => {
        const kind = { kind: 'addExpiringTarget', contextKind: 'user', targetType: 'included' }
        const body = { instructions: [{ ...kind, contextKey, value: clock.now + after }] }
        const segmentRef = { projectKey: 'web', environmentKey: 'test', segmentKey: 's' }
        return api.patchExpiringTargetsForSegment({ ...segmentRef, body } as never, { as })
      },
  ),
  fc.constantFrom(['proj/*'], ['proj/*;a'], ['proj/*', 'proj/*:env/*:flag/*;b', 'role/*'], ['team/*']).map(
    (resources): Step =>
      ({ api }, as) =>
        api.patchRole({ roleKey: 'r', body: replaceAt('/policy', roleOf(resources)) } as never, { as }),
  ),
  fc.constantFrom('addMembers', 'removeMembers').map(
    (kind): Step =>
      async ({ api }, as) => {
        const { items } = await api.listMembers({}, { as })
        const values = items.filter(({ email }) => email === 'm@example.com').map(({ _id }) => _id)
        return api.patchTeam({ teamKey: 't', body: { instructions: [{ kind, values }] } } as never, { as })
      },
  ),
  fc.integer({ min: 1, max: 30 }).map(
    (ms): Step =>
      async (_engine, _as, clock) => {
        clock.now += ms
      },
  ),
)

interface ReadRequest {
  readonly path: string
  readonly admin: boolean
}
const readRequest: fc.Arbitrary<ReadRequest> = fc.record({ path: fc.constantFrom(...paths), admin: fc.boolean() })
const steps = fc.array(
  fc.oneof(
    fc.record({ write, engine: fc.nat(1) }),
    // Requests are repeated, because only a repeated one is served from the cache.
    fc.record({ looks: fc.array(readRequest, { minLength: 1, maxLength: 6 }), engine: fc.nat(1) }),
  ),
  { minLength: 10, maxLength: 40 },
)

/** Creates engines over one storage: two with caches, one of them for documents too, and one without. */
async function createEngines() {
  const clock = { now: start }
  const storage = createMemoryStorage()
  const engineWith = (cache: false | undefined, engineStorage = storage as Parameters<typeof laggingStorage>[0]) =>
    createEngine({
      storage: engineStorage,
      clock: () => clock.now,
      rateLimit: false,
      ...(cache === false ? { cache } : {}),
    })
  const engines = [engineWith(undefined), engineWith(undefined, laggingStorage(storage))] as const
  const plain = engineWith(false)
  const as = (await plain.bootstrap())?.token as string
  const { api } = plain
  await api.createProject({ body: { key: 'web', name: 'Web', tags: ['a'] } }, { as })
  await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'f' } }, { as })
  await api.createSegment({ projectKey: 'web', environmentKey: 'test', body: { key: 's', name: 's' } }, { as })
  await api.createRole({ body: { key: 'r', name: 'r', policy: roleOf(['proj/*']) } } as never, { as })
  const { items } = await api.createMembers({ body: [{ email: 'm@example.com', role: 'no_access' }] } as never, { as })
  const memberId = items[0]?._id as string
  await api.createTeam({ body: { key: 't', name: 't', customRoleKeys: ['r'], memberIDs: [memberId] } } as never, { as })
  const owner = { role: 'owner', memberId } as const
  const { token } = await api.createToken({ body: { name: 't', customRoleIds: ['r'] } }, { as: owner })
  return { clock, engines, plain, as, limited: token as string }
}

it('an engine with caches returns the same responses as one without caches, after any changes by any engine', async () => {
  const counts = { responses: 0, hits: 0, documents: 0, written: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const { clock, engines, plain, as, limited } = await createEngines()
      for (const step of list) {
        const engine = engines[step.engine] as Engine
        if ('write' in step) {
          await step.write(engine, as, clock).then(
            () => counts.written++,
            () => counts.refused++,
          )
          continue
        }
        for (const { path, admin } of step.looks) {
          const token = admin ? as : limited
          // Each engine gets the request twice, and serves the second from its cache if it has one.
          for (let time = 0; time < 2; time++) {
            expect([path, comparableResponse(await get(engine, path, token))]).toEqual([
              path,
              comparableResponse(await get(plain, path, token)),
            ])
            counts.responses++
          }
        }
      }
      for (const engine of engines) counts.hits += engine.cacheStats().responses.hits
      counts.documents += engines[1].cacheStats().documents.hits
    }),
    { numRuns: process.env.HALYARD_LONG_TESTS ? 200 : 20 },
  )
  // Proves that the engines cached responses and made changes.
  expect(counts.hits).toBeGreaterThan(counts.responses / 5)
  expect(Math.min(counts.written, counts.documents)).toBeGreaterThan(100)
}, 120_000)
