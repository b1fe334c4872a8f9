import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../index.ts'

const lone = '\ud800'

let engine: Engine
let as: string

beforeEach(async () => {
  engine = createEngine({ storage: createMemoryStorage() })
  as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
})

const send = async (path: string, query: string) => {
  const header = (name: string) => (name === 'authorization' ? as : undefined)
  const body = { kind: 'parsed', value: undefined } as const
  const response = await engine.handle({ method: 'GET', path, query, header, body })
  return { status: response.status, ...(JSON.parse(response.body ?? '') as { errors?: unknown }) }
}

const unfit = (attribute: string) => ({
  status: 400,
  code: 'invalid_request',
  errors: [{ attribute, reason: expect.stringMatching(/^must (be well-formed Unicode|not contain NUL)$/) }],
})

describe('a text that no storage can store', () => {
  it.each([lone, `a${lone}b`, '\udc00', 'a\0b'])('in a query ends a call in process with 400: %j', async (text) => {
    await expect(engine.api.listFlags({ projectKey: 'web', tag: text }, { as })).rejects.toMatchObject(unfit('tag'))
    await expect(engine.api.listFlags({ projectKey: 'web', env: ['production', text] }, { as })).rejects.toMatchObject(
      unfit('env'),
    )
    const strange = { projectKey: 'web', flagKey: 'f', colour: text } as never
    await expect(engine.api.listFlags(strange, { as })).rejects.toMatchObject(unfit('colour'))
    const query = { projectKey: 'web', [`tag${text}`]: 'x' } as never
    await expect(engine.api.listFlags(query, { as })).rejects.toMatchObject({ status: 400 })
  })

  it('is reported for every property that contains it', async () => {
    const call = engine.api.listFlags({ projectKey: 'web', tag: lone, sort: lone, filter: 'x\0' }, { as })
    await expect(call).rejects.toMatchObject({
      errors: [{ attribute: 'tag' }, { attribute: 'sort' }, { attribute: 'filter' }],
    })
  })

  it.each([lone, 'a\0', `web${lone}`])('as a key ends a call in process with 404: %j', async (projectKey) => {
    await expect(engine.api.listFlags({ projectKey }, { as })).rejects.toMatchObject({ status: 404 })
    await expect(engine.api.getRepository({ repo: projectKey }, { as })).rejects.toMatchObject({ status: 404 })
  })

  it('is rejected over a transport too, encoded or not', async () => {
    const expectedError = { status: 400, errors: [{ attribute: 'tag', reason: 'must be valid percent-encoded text' }] }
    for (const text of [lone, '\0', '%00', 'a%00b']) {
      expect(await send('/api/v2/flags/web', `tag=${text}`)).toMatchObject(expectedError)
    }
    expect(await send('/api/v2/flags/web', 'tag=%ed%a0%80')).toMatchObject({ status: 400 })
    expect(await send('/api/v2/flags/%ed%a0%80', '')).toMatchObject({ status: 404 })
  })

  it('does not include text with a complete surrogate pair', async () => {
    const { items } = await engine.api.listFlags({ projectKey: 'web', tag: '\ud83d\ude00' }, { as })
    expect(items).toEqual([])
    expect((await send('/api/v2/flags/web', 'tag=%F0%9F%98%80')).status).toBe(200)
  })
})
