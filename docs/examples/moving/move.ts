import { isDeepStrictEqual } from 'node:util'
import { createClient } from '@halyard/client'
import { type BoundApi, createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { hostedService } from './hosted-service.ts'

const hosted = await hostedService()

// #region both
const source = createClient({ baseUrl: 'https://flags.example.com', token: hosted.token, fetch: hosted.fetch }).api

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
const as = (await engine.bootstrap())?.token ?? ''
// #endregion

// #region move
/** All settings of a flag in its environments that a patch can set. */
const settings = ['on', 'targets', 'contextTargets', 'rules', 'prerequisites', 'fallthrough', 'offVariation'] as const

async function copyProject(from: BoundApi, to: BoundApi, projectKey: string): Promise<number> {
  const { key, name, tags } = await from.getProject({ projectKey })
  const environments = (await from.listEnvironments({ projectKey, limit: 100 })).items
  const copiedEnvironments = environments.map(({ key, name, color }) => ({ key, name, color }))
  await to.createProject({ body: { key, name, tags, environments: copiedEnvironments } })
  const flags = await allFlags(
    from,
    projectKey,
    copiedEnvironments.map((environment) => environment.key),
  )
  for (const { key, name, description, tags, temporary, variations } of flags) {
    const values = variations.map(({ value, name, description }) => ({ value, name, description }))
    await to.createFlag({ projectKey, body: { key, name, description, tags, temporary, variations: values } })
  }
  // The settings are written after all flags exist, because a flag may have another flag as prerequisite.
  for (const { key: flagKey, environments } of flags) {
    const body = Object.entries(environments ?? {}).flatMap(([environmentKey, config]) =>
      settings
        .filter((setting) => config[setting] !== undefined)
        .map((setting) => ({ op: 'add', path: `/environments/${environmentKey}/${setting}`, value: config[setting] })),
    )
    await to.patchFlag({ projectKey, flagKey, body })
  }
  return flags.length
}

async function allFlags(from: BoundApi, projectKey: string, env: string[]) {
  const limit = 100
  const flags: Awaited<ReturnType<BoundApi['listFlags']>>['items'][number][] = []
  for (;;) {
    const page = await from.listFlags({ projectKey, env, summary: false, sort: 'key', limit, offset: flags.length })
    flags.push(...page.items)
    if (flags.length >= page.totalCount || page.items.length === 0) return flags
  }
}
// #endregion

console.log(await copyProject(source, engine.as(as), 'shop'), 'flags')

// #region compare
const flagParams = { projectKey: 'shop', flagKey: 'one-page', env: ['production'] }
const [original, copy] = await Promise.all([source.getFlag(flagParams), engine.api.getFlag(flagParams, { as })])
for (const setting of settings) {
  const [before, after] = [original, copy].map((flag) => flag.environments?.production?.[setting])
  if (!isDeepStrictEqual(before, after)) console.log('differs:', setting, before, after)
}
// #endregion
console.log(copy.environments?.production?.on, copy.environments?.production?.prerequisites?.length)

await hosted.close()
await engine.close()
