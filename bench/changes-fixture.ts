import { randomUUID } from 'node:crypto'
import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'

export interface ChangesFixture {
  readonly engine: Engine
  readonly token: string
  /** Changes the flag; the caller has a token. */
  change(): Promise<{ readonly _version: number }>
  /** Reads the flag, as the same caller. */
  read(): Promise<{ readonly _version: number }>
}

export const projectKey = 'web'
export const flagKey = 'checkout'

/** Creates an engine with one flag whose response is about 1 KB, and webhooks that are notified of its changes. */
export async function createChangesFixture(storage: Storage, webhooks: number): Promise<ChangesFixture> {
  // A separate account, so that fixtures with different numbers of webhooks can share one storage.
  const engine = createEngine({ storage, account: `bench-${randomUUID()}`, rateLimit: false })
  await engine.migrate()
  const token = (await engine.bootstrap())?.token as string
  return { ...(await fillAccount(engine, token, webhooks)), engine, token }
}

/** Creates the flag and the webhooks of {@link createChangesFixture} in an existing account. */
export async function fillAccount(engine: Engine, token: string, webhooks: number) {
  const as = { token }
  const flagKeys = { projectKey, flagKey }
  await engine.api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
  await engine.api.createFlag({ projectKey, body: { key: flagKey, name: 'Checkout', tags: ['shop'] } }, { as })
  for (let i = 0; i < webhooks; i++) {
    await engine.api.createWebhook({ body: { url: `https://example.com/hooks/${i}`, sign: true, on: true } }, { as })
  }
  let n = 0
  return {
    // Declared `async`, because tinybench calls other functions once more, without awaiting them, to test whether they
    // return a promise.
    change: async () =>
      engine.api.patchFlag(
        { ...flagKeys, body: [{ op: 'replace', path: '/description', value: `Change ${++n} of the checkout` }] },
        { as },
      ),
    read: async () => engine.api.getFlag(flagKeys, { as }),
  }
}
