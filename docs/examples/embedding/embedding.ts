// #region engine
import { type Api, ApiError, createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
const bootstrapResult = await engine.bootstrap({ email: 'ada@example.com' })
const as = bootstrapResult?.token ?? process.env.HALYARD_TOKEN ?? ''
// #endregion

// #region calls
const { api } = engine
await api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })
const flag = await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'New checkout' } }, { as })
console.log(flag.kind, flag.variations.length, 'variations')
// #endregion

// #region response
import type { FlagResponse } from '@halyard/core/operations'

const valuesOf = ({ variations }: FlagResponse) => variations.map(({ value }) => value)
console.log(valuesOf(await api.getFlag({ projectKey: 'web', flagKey: 'checkout' }, { as })))
// #endregion

// #region as
const reader = { role: 'reader', memberId: bootstrapResult?.memberId } as const
const flagsOnly = {
  name: 'flags of the web shop',
  policy: [{ effect: 'allow', actions: ['*'], resources: ['proj/web:env/*:flag/*'] }],
} as const
console.log((await api.getProject({ projectKey: 'web' }, { as: reader })).name)
await api.deleteProject({ projectKey: 'web' }, { as: flagsOnly }).catch((error) => console.log(error.code))
console.log((await engine.as(reader).listFlags({ projectKey: 'web' })).totalCount)
// #endregion

// #region errors
try {
  await api.createFlag({ projectKey: 'web', body: { key: 'a key', name: '' } }, { as })
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  console.log(error.status, error.code, error.errors)
}
// #endregion

// #region json-patch
await api.patchFlag(
  {
    projectKey: 'web',
    flagKey: 'checkout',
    body: [
      { op: 'test', path: '/name', value: 'New checkout' },
      { op: 'replace', path: '/name', value: 'Checkout, one page' },
      { op: 'add', path: '/tags/-', value: 'payments' },
    ],
  },
  { as },
)
// #endregion

// #region semantic-patch
const updated = await api.patchFlag(
  {
    projectKey: 'web',
    flagKey: 'checkout',
    body: { environmentKey: 'production', comment: 'for all', instructions: [{ kind: 'turnFlagOn' }] },
  },
  { as },
)
console.log(updated.name, updated.tags, updated.environments?.production?.on)
// #endregion

// #region lost-update
const keys = { projectKey: 'web', flagKey: 'checkout' }
const addTag = (tag: string) => api.patchFlag({ ...keys, body: [{ op: 'add', path: '/tags/-', value: tag }] }, { as })
await Promise.all(['beta', 'eu'].map(addTag))
console.log((await api.getFlag(keys, { as })).tags.length)

const rename = (name: string) =>
  api.patchFlag({ ...keys, body: [{ op: 'replace', path: '/name', value: name }] }, { as })
for (const outcome of await Promise.allSettled([rename('Buy'), rename('Pay')])) {
  if (outcome.status === 'fulfilled' || !(outcome.reason instanceof ApiError)) continue
  for (const { path, yours, theirs } of outcome.reason.conflicts ?? []) console.log(path, yours, theirs)
}
// #endregion

// #region pages
/** Yields the keys of all flags of a project. */
async function* flagKeys(halyard: Api, projectKey: string): AsyncGenerator<string> {
  const limit = 100
  for (let offset = 0; ; offset += limit) {
    const page = await halyard.listFlags({ projectKey, limit, offset, sort: 'key' }, { as })
    for (const { key } of page.items) yield key
    if (offset + limit >= page.totalCount) return
  }
}
for await (const key of flagKeys(api, 'web')) console.log(key)
// #endregion

// #region host
let now = Date.UTC(2026, 0, 1)
const testEngine = createEngine({
  storage: createMemoryStorage(),
  clock: () => now,
  log: ({ level, event, message }) => console.log(level, event, message),
  wire: { timestamps: 'number' },
})
const token = 'a-token-for-tests'
await testEngine.bootstrap({ token })
now += 60_000
await testEngine.api.createProject({ body: { key: 'later', name: 'Later' } }, { as: token })
const { items } = await testEngine.api.listChangeLog({ limit: 1 }, { as: token })
console.log(items[0]?.date === now)
await testEngine.api.deleteProject({ projectKey: 'later' }, { as: { role: 'reader' } }).catch(() => {})
// #endregion

await testEngine.close()
await engine.close()
