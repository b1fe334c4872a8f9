import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { OpenFeature } from '@openfeature/server-sdk'
import { createHalyardProvider } from '../index.ts'

/** The environment that providers of the shop are for. */
export const place = { projectKey: 'shop', environmentKey: 'production' }

/** A clause about users, of which only what matters is said. */
export const clause = (more: object) => ({
  contextKind: 'user',
  attribute: 'key',
  op: 'in',
  values: [],
  negate: false,
  ...more,
})

export const turnOn = { kind: 'turnFlagOn' }

/** An engine in memory with a project `shop` and a flag `f` that is on, and a provider of it in the domain `shop`. */
export async function openShop() {
  const storage = createMemoryStorage()
  const engine = createEngine({ storage })
  const as = (await engine.bootstrap())?.token as string

  const create = (key: string, more: object = {}) =>
    engine.api.createFlag({ projectKey: 'shop', body: { key, name: key, ...more } }, { as })

  const instruct = (featureFlagKey: string, ...instructions: object[]) =>
    engine.api.patchFlag(
      { projectKey: 'shop', featureFlagKey, body: { environmentKey: 'production', instructions } as never },
      { as },
    )

  /** Makes a flag that is on, with instructions that may name its variations. */
  async function made(key: string, instructions: (ids: readonly [string, string]) => object[], more: object = {}) {
    const { variations } = await create(key, more)
    await instruct(key, turnOn, ...instructions(variations.map(({ _id }) => _id) as never))
  }

  await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
  const flag = await create('f')
  await instruct('f', turnOn)
  await OpenFeature.setProviderAndWait('shop', createHalyardProvider(engine, place))
  /** Variations of `f`, the one that is true first. */
  const [yes, no] = [() => flag.variations[0]?._id as string, () => flag.variations[1]?._id as string]

  async function close(): Promise<void> {
    await OpenFeature.clearProviders()
    await engine.close()
  }

  return { storage, engine, client: OpenFeature.getClient('shop'), as, create, instruct, made, yes, no, close }
}
