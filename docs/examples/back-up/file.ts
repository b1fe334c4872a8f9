import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const folder = await mkdtemp(path.join(tmpdir(), 'halyard-'))
const file = path.join(folder, 'account.ndjson.gz')
const engine = createEngine({ storage: createMemoryStorage() })
await engine.bootstrap({ token: 'an-administrator' })

// #region write
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

await pipeline(engine.export({ secrets: true }), createGzip(), createWriteStream(file, { mode: 0o600 }))
// #endregion

const restored = createEngine({ storage: createMemoryStorage() })
// #region read
await restored.import(createReadStream(file).pipe(createGunzip()))
// #endregion
console.log((await restored.api.listMembers({}, { as: 'an-administrator' })).items.length)

// #region respond
const chunks = engine.export()[Symbol.asyncIterator]()
const lines = new ReadableStream<string>({
  async pull(controller) {
    const { done, value } = await chunks.next()
    if (done) controller.close()
    else controller.enqueue(value)
  },
})
const response = new Response(lines.pipeThrough(new TextEncoderStream()), {
  headers: { 'content-type': 'application/x-ndjson' },
})
// #endregion
console.log((await response.text()).split('\n')[0])
await rm(folder, { recursive: true })
