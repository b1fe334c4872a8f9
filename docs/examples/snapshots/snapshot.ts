import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import { snapshotReader } from '@halyard/core/evaluation'
import { createMemoryStorage } from '@halyard/storage-memory'

const folder = await mkdtemp(path.join(tmpdir(), 'flags-'))
const engine = createEngine({ storage: createMemoryStorage() })
const as = { role: 'owner' } as const
await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })
await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })

// #region keys
const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
  'sign',
  'verify',
])
// #endregion

// #region write
const environment = { projectKey: 'web', environmentKey: 'production' }
const target = { put: (_name: string, bytes: Uint8Array) => writeFile(path.join(folder, 'flags'), bytes) }

const write = () => engine.snapshot(environment, { signingKey: privateKey, target })
const { name } = await write()
console.log(name)
// #endregion

// #region read
const flags = snapshotReader({
  read: async () => new Uint8Array(await readFile(path.join(folder, 'flags'))),
  publicKey,
  environment,
})
await flags.refresh()
console.log(flags.evaluate('checkout', { kind: 'user', key: 'ann' }, false).value)
// #endregion

// #region follow
await engine.api.patchFlag(
  {
    projectKey: 'web',
    flagKey: 'checkout',
    body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] },
  },
  { as },
)
await write()
console.log(await flags.refresh(), flags.evaluate('checkout', { kind: 'user', key: 'ann' }, false).value)
console.log(await flags.refresh())
// #endregion
await engine.close()
