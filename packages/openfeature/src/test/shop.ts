import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { OpenFeature } from '@openfeature/server-sdk'
import { createHalyardProvider } from '../index.ts'

/** The environment of the providers. */
export const environment = { projectKey: 'shop', environmentKey: 'production' }

/** Creates a clause for users with these properties. */
export const clause = (properties: object) => ({
  contextKind: 'user',
  attribute: 'key',
  op: 'in',
  values: [],
  negate: false,
  ...properties,
})

export const turnOn = { kind: 'turnFlagOn' }

/**
 * Creates an engine with the project `shop` and the flag `f`, which is on, and registers a provider in the domain
 * `shop`.
 */
export async function openShop() {
  const storage = createMemoryStorage()
  const engine = createEngine({ storage })
  const as = (await engine.bootstrap())?.token as string

  const create = (key: string, properties: object = {}) =>
    engine.api.createFlag({ projectKey: 'shop', body: { key, name: key, ...properties } }, { as })

  const instruct = (flagKey: string, ...instructions: object[]) =>
    engine.api.patchFlag(
      { projectKey: 'shop', flagKey, body: { environmentKey: 'production', instructions } as never },
      { as },
    )

  /** Creates a flag that is on. The instructions receive the ids of its variations. */
  async function createOn(
    key: string,
    instructions: (ids: readonly [string, string]) => object[],
    properties: object = {},
  ) {
    const { variations } = await create(key, properties)
    await instruct(key, turnOn, ...instructions(variations.map(({ _id }) => _id) as never))
  }

  await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
  const flag = await create('f')
  await instruct('f', turnOn)
  await OpenFeature.setProviderAndWait('shop', createHalyardProvider(engine, environment))
  /** Ids of the variations of `f`. */
  const trueVariation = flag.variations[0]?._id as string
  const falseVariation = flag.variations[1]?._id as string

  async function close(): Promise<void> {
    await OpenFeature.clearProviders()
    await engine.close()
  }

  return {
    storage,
    engine,
    client: OpenFeature.getClient('shop'),
    as,
    create,
    instruct,
    createOn,
    trueVariation,
    falseVariation,
    close,
  }
}
