import { createMemoryStorage } from '@halyard/storage-memory'
import { createTestEngine, type TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { type As, createEngine } from '../../index.ts'
import { failureOf, sender } from '../account/test/calls.ts'

const place = { projectKey: 'web', environmentKey: 'production' }
const pubsub = { name: 'Stream', kind: 'google-pubsub', config: { project: 'shop', topic: 'events' } } as const
const segment = { name: 'CDP', kind: 'segment', config: { writeKey: 'write-key-1' } } as const
const json = 'application/json'
const roleArn = 'arn:aws:iam::123456789012:role/export'

/** One good configuration of every kind. */
const configs = {
  'google-pubsub': pubsub.config,
  kinesis: { region: 'eu-central-1', roleArn, streamName: 'flags' },
  mparticle: { apiKey: 'k', secret: 's', userIdentity: 'customer_id', anonymousUserIdentity: 'other' },
  segment: { writeKey: 'k', userIdContextKind: 'user', anonymousIdContextKind: 'device' },
  'azure-event-hubs': { namespace: 'shop', name: 'flags', policyName: 'send', policyKey: 'k' },
  'snowflake-v2': { publicKey: '-----BEGIN PUBLIC KEY-----\nabc', snowflakeHostAddress: 'shop.snowflake.example' },
  databricks: {
    workspaceUrl: 'https://shop.databricks.example',
    httpPath: '/sql/1.0/warehouses/1',
    catalog: 'main',
    schema: 'flags',
    accessToken: 'k',
  },
  bigquery: { project: 'shop', dataset: 'flags', serviceAccountKey: '{ "type": "service_account" }' },
  redshift: {
    clusterIdentifier: 'shop',
    clusterRegion: 'us-east-1',
    clusterAwsAccountId: '123456789012',
    databaseName: 'shop',
    schemaName: 'flags',
    userName: 'export',
    roleArn,
  },
} as const

const secretsOf: Readonly<Record<string, readonly string[]>> = {
  mparticle: ['apiKey', 'secret'],
  segment: ['writeKey'],
  'azure-event-hubs': ['policyKey'],
  databricks: ['accessToken'],
  bigquery: ['serviceAccountKey'],
}

async function webEngine(input: Parameters<typeof createTestEngine>[0] = {}): Promise<TestEngine> {
  const engine = await createTestEngine(input)
  await engine.given.project('web')
  return engine
}

const create = (engine: TestEngine, body: object, as: As = engine.admin, where: object = place) =>
  engine.api.createDestination({ ...place, ...where, body: body as typeof pubsub }, { as })

const patch = (engine: TestEngine, id: string, operations: readonly object[], as: As = engine.admin) =>
  engine.api.patchDestination({ ...place, id, body: operations as never }, { as })

const get = (engine: TestEngine, id: string, as: As = engine.admin) =>
  engine.api.getDestination({ ...place, id }, { as })

const replacing = (path: string, value: unknown) => [{ op: 'replace', path, value }]

const may = (...actions: string[]): As => ({
  policy: [
    { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] },
    { effect: 'allow', resources: ['proj/web:env/production:destination/*'], actions },
  ],
})

describe('a destination', () => {
  it('has its members, and is off unless it is turned on', async () => {
    const engine = await webEngine()
    const { _access, ...made } = await create(engine, pubsub)
    expect(made).toEqual({
      _links: {
        parent: { href: '/api/v2/destinations', type: json },
        self: { href: `/api/v2/destinations/web/production/${made._id}`, type: json },
        environment: { href: '/api/v2/projects/web/environments/production', type: json },
      },
      _id: expect.any(String),
      ...pubsub,
      version: 1,
      on: false,
      createdAt: String(engine.now()),
    })
    expect(_access?.allowed.map(({ action }) => action)).toEqual([
      'createDestination',
      'updateName',
      'updateOn',
      'updateConfiguration',
      'generateTrustPolicy',
      'deleteDestination',
    ])
    expect(await get(engine, made._id)).toEqual({ ...made, _access })
    expect(await create(engine, { ...pubsub, on: true })).toMatchObject({ on: true })
  })

  it('is created with 201 and deleted with 204', async () => {
    const send = sender(await webEngine())
    const made = await send('POST', '/api/v2/destinations/web/production', pubsub)
    expect(made).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    const path = `/api/v2/destinations/web/production/${made.body._id}`
    expect(await send('DELETE', path)).toMatchObject({ status: 204 })
    expect(await send('GET', path)).toMatchObject({ status: 404 })
  })

  it('is found in its environment alone, and ends with it', async () => {
    const engine = await webEngine()
    const { _id } = await create(engine, pubsub)
    const elsewhere = { projectKey: 'web', environmentKey: 'test', id: _id }
    expect((await failureOf(engine.api.getDestination(elsewhere, { as: engine.admin }))).code).toBe('not_found')
    await engine.api.deleteEnvironment(place, { as: engine.admin })
    await engine.given.environment('web', 'production')
    expect((await failureOf(get(engine, _id))).code).toBe('not_found')
    expect((await engine.api.listDestinations({}, { as: engine.admin })).totalCount).toBe(0)
  })

  it('is refused where there is no environment', async () => {
    const engine = await webEngine()
    for (const where of [{ projectKey: 'other' }, { environmentKey: 'other' }]) {
      expect((await failureOf(create(engine, pubsub, engine.admin, where))).code).toBe('not_found')
    }
  })
})

describe('the configuration of a destination', () => {
  it.each(Object.entries(configs))(
    'of kind %s holds what the kind asks for, its secrets masked',
    async (kind, config) => {
      const engine = await webEngine()
      const secrets = secretsOf[kind] ?? []
      const shown = Object.entries(config).map(([name, value]) => [name, secrets.includes(name) ? '********' : value])
      const made = await create(engine, { name: kind, kind, config })
      expect(made).toMatchObject({ kind, config: Object.fromEntries(shown) })
      expect(Object.keys(made.config)).toEqual(Object.keys(config))
    },
  )

  it.each(Object.entries(configs))('of kind %s misses every member that it needs', async (kind, config) => {
    const engine = await webEngine()
    const optional = ['userIdContextKind', 'anonymousIdContextKind']
    const needed = Object.keys(config).filter((name) => !optional.includes(name))
    const { errors } = await failureOf(create(engine, { name: kind, kind, config: {} }))
    expect(errors).toEqual(needed.map((name) => ({ attribute: `config.${name}`, reason: 'must be present' })))
  })

  it('is refused with all its faults, and with members that the kind does not have', async () => {
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
  ])('is refused when hostile: %j', async (config) => {
    const answer = await sender(await webEngine())('POST', '/api/v2/destinations/web/production', { ...pubsub, config })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('is patched member by member, and then still what the kind asks for', async () => {
    const engine = await webEngine()
    const { _id } = await create(engine, pubsub)
    const changed = await patch(engine, _id, replacing('/config/topic', 'changes'))
    expect(changed).toMatchObject({ version: 2, config: { project: 'shop', topic: 'changes' } })
    expect((await failureOf(patch(engine, _id, [{ op: 'remove', path: '/config/topic' }]))).errors).toEqual([
      { attribute: 'config.topic', reason: 'must be present' },
    ])
    for (const path of ['/kind', '/_id', '/credentials', '/createdAt', '/projectKey']) {
      expect((await failureOf(patch(engine, _id, replacing(path, 'segment')))).code).toBe('invalid_request')
    }
  })
})

describe('the secrets of a destination', () => {
  /** What is stored of the one destination there is. */
  async function stored(writeKeys: readonly string[]) {
    const storage = createMemoryStorage()
    const { api } = createEngine({ storage })
    const as: As = { role: 'owner' }
    await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    const { _id: id } = await api.createDestination({ ...place, body: segment }, { as })
    for (const value of writeKeys) {
      await api.patchDestination({ ...place, id, body: replacing('/config/writeKey', value) }, { as })
    }
    const account = storage.account('default')
    const [document] = await account.getMany([{ collection: 'destination', scope: 'proj/web:env/production', key: id }])
    const log = await account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 9 })
    return { body: document?.body as { credentials: object }, log }
  }

  it('are kept, changed, and left alone where their mask is sent back', async () => {
    expect((await stored([])).body.credentials).toEqual({ writeKey: 'write-key-1' })
    expect((await stored(['write-key-2'])).body.credentials).toEqual({ writeKey: 'write-key-2' })
    expect((await stored(['write-key-2', '********'])).body.credentials).toEqual({ writeKey: 'write-key-2' })
  })

  it('are never in the change log, while that they changed is', async () => {
    const { log } = await stored(['write-key-2'])
    const text = JSON.stringify(log)
    expect(text).not.toContain('write-key')
    expect(text).not.toContain('credentials')
    expect(text).toContain('updateConfiguration')
  })

  it('are not the mask itself', async () => {
    const engine = await webEngine()
    const body = { ...segment, config: { writeKey: '********' } }
    const { errors } = await failureOf(create(engine, body))
    expect(errors).toEqual([{ attribute: 'config.writeKey', reason: 'must be the secret itself' }])
  })

  it('are in no answer, whoever asks', async () => {
    const engine = await webEngine()
    const made = await create(engine, segment)
    const copying = [{ op: 'copy', from: '/config/writeKey', path: '/name' }]
    const answers = [made, await get(engine, made._id), await patch(engine, made._id, copying)]
    answers.push(...(await engine.api.listDestinations({}, { as: engine.admin })).items)
    expect(JSON.stringify(answers)).not.toContain('write-key-1')
    const test = [{ op: 'test', path: '/config/writeKey', value: 'write-key-1' }]
    expect((await failureOf(patch(engine, made._id, test))).code).toBe('optimistic_locking_error')
  })
})

describe('the list of destinations', () => {
  it('holds those of all environments, oldest first, page by page', async () => {
    const engine = await webEngine()
    await engine.given.project('shop')
    const names = ['c', 'a', 'b']
    const places = [place, { projectKey: 'shop' }, { environmentKey: 'test' }]
    for (const [at, name] of names.entries()) {
      engine.advance(1)
      await create(engine, { ...pubsub, name }, engine.admin, places[at])
    }
    const list = await engine.api.listDestinations({ limit: 2, offset: 1 }, { as: engine.admin })
    expect(list.items.map(({ name, _links }) => [name, _links.environment?.href])).toEqual([
      ['a', '/api/v2/projects/shop/environments/production'],
      ['b', '/api/v2/projects/web/environments/test'],
    ])
    expect(list.totalCount).toBe(3)
    expect(list._links.prev?.href).toBe('/api/v2/destinations?limit=2&offset=0')
  })

  it('leaves out, and does not count, what stands in projects that the caller may not view', async () => {
    const engine = await webEngine()
    await engine.given.project('hidden')
    await create(engine, pubsub)
    await create(engine, pubsub, engine.admin, { projectKey: 'hidden' })
    const as: As = { policy: [{ effect: 'allow', resources: ['proj/web'], actions: ['viewProject'] }] }
    const { items, totalCount } = await engine.api.listDestinations({}, { as })
    expect(totalCount).toBe(1)
    expect(items.map(({ _links }) => _links.environment?.href)).toEqual([
      '/api/v2/projects/web/environments/production',
    ])
    expect((await engine.api.listDestinations({}, { as: { role: 'no_access' } })).totalCount).toBe(0)
  })
})

describe('rights to destinations', () => {
  const changes = [
    ['updateName', '/name', 'New'],
    ['updateOn', '/on', true],
    ['updateConfiguration', '/config/topic', 'new'],
  ] as const

  it.each(changes)('ask for %s to change %s', async (action, path, value) => {
    const engine = await webEngine()
    const { _id } = await create(engine, pubsub)
    const others = changes.map(([one]) => one).filter((one) => one !== action)
    expect((await failureOf(patch(engine, _id, replacing(path, value), may(...others)))).code).toBe('forbidden')
    expect((await patch(engine, _id, replacing(path, value), may(action))).version).toBe(2)
  })

  it('ask for updateConfiguration to change a secret alone', async () => {
    const engine = await webEngine()
    const { _id } = await create(engine, segment)
    const rotate = replacing('/config/writeKey', 'write-key-2')
    expect((await failureOf(patch(engine, _id, rotate, may('updateName')))).code).toBe('forbidden')
    expect((await patch(engine, _id, rotate, may('updateConfiguration'))).version).toBe(2)
  })

  it('are asked at the place of the destination', async () => {
    const engine = await webEngine()
    const as = may('createDestination', 'deleteDestination')
    const { _id: id } = await create(engine, pubsub, as)
    expect((await failureOf(create(engine, pubsub, as, { environmentKey: 'test' }))).code).toBe('forbidden')
    expect((await failureOf(get(engine, id, { role: 'no_access' }))).code).toBe('forbidden')
    await engine.api.deleteDestination({ ...place, id }, { as })
    expect((await failureOf(get(engine, id))).code).toBe('not_found')
  })
})
