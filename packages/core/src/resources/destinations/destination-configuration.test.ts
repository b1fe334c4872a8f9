import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type As, createEngine } from '../../index.ts'
import { failureOf, sender } from '../account/test/calls.ts'
import {
  configs,
  create,
  environmentKeys,
  get,
  optionalOf,
  patch,
  pubsub,
  replaceOperation,
  secretsOf,
  segment,
  webEngine,
} from './test/destination-engine.ts'

describe('the configuration of a destination', () => {
  it.each(Object.entries(configs))(
    'of kind %s has the properties of its kind, with masked secrets',
    async (kind, config) => {
      const engine = await webEngine()
      const secrets = secretsOf[kind] ?? []
      const maskedEntries = Object.entries(config).map(([name, value]) => [
        name,
        secrets.includes(name) ? '********' : value,
      ])
      const created = await create(engine, { name: kind, kind, config })
      expect(created).toMatchObject({ kind, config: Object.fromEntries(maskedEntries) })
      expect(Object.keys(created.config)).toEqual(Object.keys(config))
    },
  )

  it.each(Object.entries(configs))('of kind %s is rejected without its required properties', async (kind, config) => {
    const engine = await webEngine()
    const required = Object.keys(config).filter((name) => !optionalOf[kind]?.includes(name))
    const { errors } = await failureOf(create(engine, { name: kind, kind, config: {} }))
    expect(errors).toEqual(required.map((name) => ({ attribute: `config.${name}`, reason: 'must be present' })))
  })

  it('is rejected with all validation errors, including properties of other kinds', async () => {
    const engine = await webEngine()
    const config = { region: 'Frankfurt', roleArn: 'role', streamName: 7, apiKey: 'x' }
    const { errors } = await failureOf(create(engine, { name: 'K', kind: 'kinesis', config }))
    expect(errors).toEqual([
      { attribute: 'config.region', reason: 'must be an AWS region, e.g. us-east-1' },
      { attribute: 'config.roleArn', reason: 'must be the ARN of an IAM role' },
      { attribute: 'config.streamName', reason: 'must be a string' },
      { attribute: 'config.apiKey', reason: 'is not a known member' },
    ])
    const unknown = await failureOf(create(engine, { ...pubsub, kind: 'ftp' }))
    const kinds = Object.keys(configs).map((kind) => `"${kind}"`)
    expect(unknown.errors).toEqual([{ attribute: 'kind', reason: `must be one of ${kinds.join(', ')}` }])
  })

  it.each([
    JSON.parse('{"__proto__": {"project": "x"}, "project": "p", "topic": "t"}'),
    JSON.parse('{"constructor": "x", "project": "p", "topic": "t"}'),
    { project: 'a b', topic: 't' },
    { project: '\0', topic: 't' },
    { project: '\ud800', topic: 't' },
    { project: 'x'.repeat(3000), topic: 't' },
    { project: ['p'], topic: 't' },
    ['p', 't'],
    null,
    'p',
  ])('is rejected when it is malformed: %j', async (config) => {
    const response = await sender(await webEngine())('POST', '/api/v2/destinations/web/production', {
      ...pubsub,
      config,
    })
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('is patched by property, and validated for its kind', async () => {
    const engine = await webEngine()
    const { _id } = await create(engine, pubsub)
    const changed = await patch(engine, _id, replaceOperation('/config/topic', 'changes'))
    expect(changed).toMatchObject({ version: 2, config: { project: 'shop', topic: 'changes' } })
    expect((await failureOf(patch(engine, _id, [{ op: 'remove', path: '/config/topic' }]))).errors).toEqual([
      { attribute: 'config.topic', reason: 'must be present' },
    ])
    for (const path of ['/kind', '/_id', '/credentials', '/createdAt', '/projectKey']) {
      expect((await failureOf(patch(engine, _id, replaceOperation(path, 'segment')))).code).toBe('invalid_request')
    }
  })
})

describe('the secrets of a destination', () => {
  /** Creates a destination, updates its secret, and returns the stored document and the change log. */
  async function stored(writeKeys: readonly string[]) {
    const storage = createMemoryStorage()
    const { api } = createEngine({ storage })
    const as: As = { role: 'owner' }
    await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    const { _id: id } = await api.createDestination({ ...environmentKeys, body: segment }, { as })
    for (const value of writeKeys) {
      await api.patchDestination({ ...environmentKeys, id, body: replaceOperation('/config/writeKey', value) }, { as })
    }
    const account = storage.account('default')
    const [document] = await account.getMany([{ collection: 'destination', scope: 'proj/web:env/production', key: id }])
    const log = await account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 9 })
    return { body: document?.body as { credentials: object }, log }
  }

  it('are stored, updated, and unchanged when their mask is sent', async () => {
    expect((await stored([])).body.credentials).toEqual({ writeKey: 'write-key-1' })
    expect((await stored(['write-key-2'])).body.credentials).toEqual({ writeKey: 'write-key-2' })
    expect((await stored(['write-key-2', '********'])).body.credentials).toEqual({ writeKey: 'write-key-2' })
  })

  it('are not in the change log, which records that they changed', async () => {
    const { log } = await stored(['write-key-2'])
    const text = JSON.stringify(log)
    expect(text).not.toContain('write-key')
    expect(text).not.toContain('credentials')
    expect(text).toContain('updateConfiguration')
  })

  it('cannot have the text of the mask as their value', async () => {
    const engine = await webEngine()
    const body = { ...segment, config: { writeKey: '********' } }
    const { errors } = await failureOf(create(engine, body))
    expect(errors).toEqual([{ attribute: 'config.writeKey', reason: 'must be the secret, not its mask' }])
  })

  it('are in no response', async () => {
    const engine = await webEngine()
    const created = await create(engine, segment)
    const copySecret = [{ op: 'copy', from: '/config/writeKey', path: '/name' }]
    const responses = [created, await get(engine, created._id), await patch(engine, created._id, copySecret)]
    responses.push(...(await engine.api.listDestinations({}, { as: engine.admin })).items)
    expect(JSON.stringify(responses)).not.toContain('write-key-1')
    const test = [{ op: 'test', path: '/config/writeKey', value: 'write-key-1' }]
    expect((await failureOf(patch(engine, created._id, test))).code).toBe('optimistic_locking_error')
  })
})
