import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { AccountStorage, Storage } from '../../entries/storage.ts'
import { type As, createEngine } from '../../index.ts'
import { failureOf } from '../account/test/calls.ts'

const roleArn = 'arn:aws:iam::123456789012:role/data-export'
const keys = { projectKey: 'web', environmentKey: 'production' }
const as: As = { role: 'owner' }

/** Makes an engine with the project `web`. `hooks.beforeCommit` runs directly before a batch is committed. */
async function webEngine() {
  const memory = createMemoryStorage()
  const hooks: { beforeCommit?: () => Promise<unknown> } = {}
  const storage: Storage = {
    ...memory,
    account(name): AccountStorage {
      const account = memory.account(name)
      const commit: AccountStorage['commit'] = async (batch) => {
        await hooks.beforeCommit?.()
        return account.commit(batch)
      }
      return new Proxy(account, {
        get: (target, property) => (property === 'commit' ? commit : Reflect.get(target, property)),
      })
    },
  }
  const engine = createEngine({ storage, dataExportRoleArn: roleArn, rateLimit: false })
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const generate = (otherKeys: object = {}, caller: As = as) =>
    engine.api.generateTrustPolicy({ ...keys, ...otherKeys }, { as: caller })
  const externalId = async (otherKeys: object = {}) => {
    const { awsTrustPolicy } = await generate(otherKeys)
    return awsTrustPolicy.Statement[0]?.Condition.StringEquals['sts:ExternalId'] as string
  }
  return { engine, hooks, generate, externalId }
}

describe('a trust policy', () => {
  it('allows the configured role with the external id', async () => {
    const { generate } = await webEngine()
    expect(await generate()).toEqual({
      awsTrustPolicy: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['sts:AssumeRole'],
            Principal: { AWS: roleArn },
            Condition: { StringEquals: { 'sts:ExternalId': expect.stringMatching(/^[\w+=,.@:/-]{2,1224}$/) } },
          },
        ],
      },
    })
  })

  it('is returned with 201', async () => {
    const { engine } = await webEngine()
    const token = (await engine.bootstrap())?.token
    const response = await engine.handle({
      method: 'POST',
      path: '/api/v2/destinations/projects/web/environments/production/generate-trust-policy',
      query: '',
      header: (name) => (name === 'authorization' ? token : undefined),
      body: { kind: 'parsed', value: undefined },
    })
    expect(response.status).toBe(201)
  })

  it('keeps the external id of an environment, which is different for each environment', async () => {
    const { engine, externalId } = await webEngine()
    await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
    const keysList = [{}, { environmentKey: 'test' }, { projectKey: 'shop' }]
    const first = await Promise.all(keysList.map(externalId))
    expect(new Set(first).size).toBe(3)
    expect(await Promise.all(keysList.map(externalId))).toEqual(first)
  })

  it('has the same external id for all concurrent first calls', async () => {
    const { externalId } = await webEngine()
    const ids = await Promise.all(Array.from({ length: 8 }, () => externalId()))
    expect(new Set(ids).size).toBe(1)
  })

  it('has a new external id after the environment was deleted and created again', async () => {
    const { engine, externalId } = await webEngine()
    const first = await externalId()
    const environment = { projectKey: 'web', environmentKey: 'production' }
    await engine.api.deleteEnvironment(environment, { as })
    const body = { key: 'production', name: 'Production', color: '000000' }
    await engine.api.createEnvironment({ projectKey: 'web', body }, { as })
    expect(await externalId()).not.toBe(first)
  })

  it('is created although the environment changes before each of many commits, and keeps its id', async () => {
    const { engine, hooks, externalId } = await webEngine()
    let losses = 0
    const renameBeforeCommit = async () => {
      hooks.beforeCommit = undefined
      const body = [{ op: 'replace', path: '/name', value: `Name ${++losses}` }] as const
      await engine.api.patchEnvironment({ projectKey: 'web', environmentKey: 'production', body }, { as })
      if (losses < 20) hooks.beforeCommit = renameBeforeCommit
    }
    hooks.beforeCommit = renameBeforeCommit
    const id = await externalId()
    expect(losses).toBe(20)
    expect(await externalId()).toBe(id)
  })
})

describe('generateTrustPolicy', () => {
  it('names the missing engine option when no role is configured', async () => {
    const engine = createEngine({ storage: createMemoryStorage() })
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    const failure = await failureOf(engine.api.generateTrustPolicy(keys, { as }))
    expect(failure.code).toBe('invalid_request')
    expect(failure.message).toContain('dataExportRoleArn')
  })

  it('responds with 404 for an unknown environment', async () => {
    const { generate } = await webEngine()
    expect((await failureOf(generate({ projectKey: 'other' }))).code).toBe('not_found')
    expect((await failureOf(generate({ environmentKey: 'other' }))).code).toBe('not_found')
  })

  it('requires the action generateTrustPolicy in the environment', async () => {
    const { generate } = await webEngine()
    const resources = ['proj/web:env/production:destination/*']
    const callerWith = (actions: string[]): As => ({ policy: [{ effect: 'allow', resources, actions }] })
    expect((await failureOf(generate({}, callerWith(['createDestination'])))).code).toBe('forbidden')
    expect((await failureOf(generate({ environmentKey: 'test' }, callerWith(['generateTrustPolicy'])))).code).toBe(
      'forbidden',
    )
    expect(await generate({}, callerWith(['generateTrustPolicy']))).toHaveProperty('awsTrustPolicy')
  })

  it.each(['', 'data-export', 'arn:aws:iam::12:role/x', 'arn:aws:iam::123456789012:user/x', `${roleArn} `])(
    'createEngine rejects the option %j',
    (dataExportRoleArn) => {
      expect(() => createEngine({ storage: createMemoryStorage(), dataExportRoleArn })).toThrow(/^dataExportRoleArn: /)
    },
  )
})
