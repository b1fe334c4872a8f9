import { readFileSync } from 'node:fs'
import { createTestEngine } from '@halyard/testing'
import { Miniflare } from 'miniflare'
import { expect, it, onTestFinished } from 'vitest'
import { bundleModules } from './homes/bundle-modules.ts'

const environment = { projectKey: 'web', environmentKey: 'production' }

async function startWorker(publicKey: unknown): Promise<Miniflare> {
  const bundles = await bundleModules({ worker: 'test/workers/snapshot-worker.ts' })
  const contents = readFileSync(bundles.fileOf('worker'), 'utf8')
  bundles.remove()
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents }],
    compatibilityDate: '2025-06-01',
    kvNamespaces: ['FLAGS'],
    bindings: { PUBLIC_KEY: publicKey as string },
  })
  onTestFinished(() => worker.dispose())
  return worker
}

it('a Worker evaluates flags from the snapshot in Workers KV, reads new snapshots, and refuses one with another signature', async () => {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const worker = await startWorker(await crypto.subtle.exportKey('jwk', keys.publicKey))
  // Cast: the type of Miniflare needs the declarations of workers, which the repository does not have.
  const target = (await worker.getKVNamespace('FLAGS')) as unknown as {
    put(name: string, bytes: Uint8Array): Promise<void>
  }
  const respond = async () => (await worker.dispatchFetch('http://localhost/')).json() as Promise<unknown>
  const engine = await createTestEngine()
  await engine.given.project('web')
  await engine.given.flag('web', 'checkout')
  const write = (signingKey: CryptoKey) => engine.snapshot(environment, { signingKey, target })

  expect(await respond()).toEqual({ error: expect.stringContaining('there is no snapshot of web/production') })
  await write(keys.privateKey)
  expect(await respond()).toEqual({ isNew: true, value: false })
  expect(await respond()).toEqual({ isNew: false, value: false })
  const body = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] } as const
  await engine.as(engine.admin).patchFlag({ projectKey: 'web', flagKey: 'checkout', body })
  await write(keys.privateKey)
  expect(await respond()).toEqual({ isNew: true, value: true })
  const others = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  await write(others.privateKey)
  expect(await respond()).toEqual({ error: expect.stringContaining('signature') })
}, 60_000)
