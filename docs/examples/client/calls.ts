import { ApiError, createClient, NetworkError } from '@halyard/client'
import type { Api } from '@halyard/core'
import { serve } from './service.ts'

const { engine, token, baseUrl, close } = await serve()

// #region call
const { api } = createClient({ baseUrl, token })

await api.createProject({ body: { key: 'web', name: 'Web shop' } })
await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'New checkout' } })
const { items } = await api.listFlags({ projectKey: 'web', limit: 5 })
console.log(items.map((flag) => flag.name))
// #endregion

// #region both
async function nameOf(halyard: Api, projectKey: string, as: string): Promise<string> {
  return (await halyard.getProject({ projectKey }, { as })).name
}
console.log(await nameOf(engine.api, 'web', token), '=', await nameOf(api, 'web', token))
// #endregion

// #region errors
try {
  await api.getProject({ projectKey: 'nowhere' })
} catch (error) {
  if (error instanceof ApiError) console.log(error.status, error.code, error.errors ?? 'no validation errors')
  else if (error instanceof NetworkError) console.log('no response', error.cause)
  else throw error
}
// #endregion

// #region signal
const signal = AbortSignal.timeout(5000)
const project = await api.getProject({ projectKey: 'web' }, { signal })
// #endregion
console.log(project.key)

// #region files
async function* keys() {
  for (let i = 0; i < 3; i++) yield `user-${i}\n`
}
const segment = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
await api.createSegment({
  projectKey: 'web',
  environmentKey: 'production',
  body: { key: 'beta', name: 'Beta', unbounded: true },
})
await api.createBigSegmentImport({ ...segment, body: { file: keys(), mode: 'replace' } })
const { id } = await api.createBigSegmentExport(segment)
for await (const chunk of await api.getBigSegmentExportFile({ ...segment, exportId: id })) console.log(chunk.trim())
// #endregion

close()
await engine.close()
