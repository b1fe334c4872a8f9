import { createHash } from 'node:crypto'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { emptyEngine, failure, filledAccount, header, linesOf, textOf } from './test/backed-up-account.ts'

describe('engine.export', () => {
  it('starts with a header, and ends with the counts and the SHA-256 of all preceding lines', async () => {
    const { engine } = await filledAccount()
    const text = await textOf(engine.export({ secrets: true }))
    const lines = linesOf(text)
    expect(lines[0]).toBe(header)
    const { records, leftOut, sha256, kind } = JSON.parse(lines.at(-1) as string)
    expect(kind).toBe('end')
    expect(leftOut).toEqual({})
    expect(sha256).toBe(
      createHash('sha256')
        .update(`${lines.slice(0, -1).join('\n')}\n`)
        .digest('hex'),
    )
    const kinds = lines.slice(1, -1).map((line) => JSON.parse(line).kind)
    for (const recordKind of ['document', 'member', 'sample', 'task']) {
      expect(records[recordKind]).toBe(kinds.filter((kind) => kind === recordKind).length)
    }
    expect(records).toMatchObject({ member: 2 })
  })

  it('yields the same bytes for the same content, without a time or an origin', async () => {
    const { engine } = await filledAccount()
    expect(await textOf(engine.export())).toBe(await textOf(engine.export()))
    const empty = emptyEngine().engine
    const otherAccount = createEngine({ storage: createMemoryStorage(), account: 'other', clock: () => 5 })
    expect(await textOf(empty.export())).toBe(await textOf(otherAccount.export()))
  })

  it('contains no secrets and no hashes of secrets by default', async () => {
    const { engine, secrets } = await filledAccount()
    const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'))
    const withoutSecrets = await textOf(engine.export())
    for (const secret of [...secrets, ...hashes]) expect(withoutSecrets).not.toContain(secret)
    expect(linesOf(withoutSecrets).at(-1)).toContain(
      '"leftOut":{"credential":2,"oauth-client":1,"token":2,"token-use":1}',
    )
    const withSecrets = await textOf(engine.export({ secrets: true }))
    expect(hashes.filter((hash) => withSecrets.includes(hash))).toHaveLength(3)
    for (const secret of secrets.slice(-2)) expect(withSecrets).toContain(secret)
  })

  it('stops when its signal is aborted', async () => {
    const { engine } = await filledAccount()
    const controller = new AbortController()
    controller.abort(new Error('enough'))
    expect((await failure(textOf(engine.export({ signal: controller.signal })))).message).toBe('enough')
  })
})
