import { createEngine } from '@halyard/core'
import type { AccountStorage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { expectShape, listOf, objectOf, string, unspecified } from './response-shape.ts'
import { describeCommonRules } from './rules-of-every-operation.ts'
import { engineWith, refusals, type SpecOperation, senderOf, successBody, transports } from './spec-operation.ts'

const generateTrustPolicy = {
  id: 'generateTrustPolicy',
  method: 'POST',
  path: '/api/v2/destinations/projects/{projectKey}/environments/{environmentKey}/generate-trust-policy',
  success: 201,
} as const satisfies SpecOperation

const trustPolicy = objectOf({
  awsTrustPolicy: objectOf({
    Version: string,
    Statement: listOf(
      objectOf({ Effect: string, Action: listOf(string), Principal: unspecified, Condition: unspecified }),
    ),
  }),
})

const dataExportRoleArn = 'arn:aws:iam::123456789012:role/data-export'
const options = { dataExportRoleArn }
const environmentParams = { projectKey: 'web', environmentKey: 'production' }

async function project({ given }: TestEngine) {
  await given.project('web')
  return { request: { params: environmentParams }, fixture: {} }
}

describeCommonRules(generateTrustPolicy, project, options)

describe.each(transports)('generateTrustPolicy %s', (transport) => {
  it('has every field of docs/specification.md', async () => {
    const { engine, request } = await engineWith(project, options)
    const response = await successBody(senderOf(engine, generateTrustPolicy, transport)(request), generateTrustPolicy)
    expectShape(response, trustPolicy)
    expect(response.awsTrustPolicy).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: ['sts:AssumeRole'],
          Principal: { AWS: dataExportRoleArn },
          Condition: { StringEquals: { 'sts:ExternalId': expect.stringMatching(/^[0-9a-f-]{36}$/) } },
        },
      ],
    })
  })

  it('returns the same policy at each call, and another one for each environment', async () => {
    const { engine, request } = await engineWith(project, options)
    const send = senderOf(engine, generateTrustPolicy, transport)
    const first = await successBody(send(request), generateTrustPolicy)
    expect(await successBody(send(request), generateTrustPolicy)).toEqual(first)
    const otherPolicy = await successBody(
      send({ params: { ...environmentParams, environmentKey: 'test' } }),
      generateTrustPolicy,
    )
    expect(otherPolicy).not.toEqual(first)
  })

  it('gets 400 when the engine has no dataExportRoleArn', async () => {
    const { engine, request } = await engineWith(project)
    expect(await senderOf(engine, generateTrustPolicy, transport)(request)).toEqual({
      status: 400,
      body: { code: 'invalid_request', message: expect.stringContaining('dataExportRoleArn') },
    })
  })

  it.each([{ projectKey: 'none' }, { environmentKey: 'none' }])('responds with 404 for %o', async (otherParams) => {
    const { engine } = await engineWith(project, options)
    const outcome = await senderOf(
      engine,
      generateTrustPolicy,
      transport,
    )({ params: { ...environmentParams, ...otherParams } })
    expect(outcome).toEqual(refusals.not_found)
  })

  it('gets optimistic_locking_error when the environment changes before each of many attempts', async () => {
    const { engine, conflicts } = await engineWithConflicts()
    expect(await senderOf(engine, generateTrustPolicy, transport)({ params: environmentParams })).toEqual(
      refusals.optimistic_locking_error,
    )
    expect(conflicts()).toBeGreaterThan(100)
  })

  it('is forbidden for a caller with read rights only', async () => {
    const { engine, request } = await engineWith(project, options)
    const { token } = await engine.given.token({ role: 'reader' })
    expect(await senderOf(engine, generateTrustPolicy, transport)({ ...request, as: token })).toEqual(
      refusals.forbidden,
    )
  })
})

/** Creates an engine in which the environment is renamed immediately before each commit of a trust policy. */
async function engineWithConflicts() {
  const memory = createMemoryStorage()
  let isActive = false
  let conflicts = 0
  const account = (name: string): AccountStorage => {
    const inner = memory.account(name)
    const commit: AccountStorage['commit'] = async (batch) => {
      if (isActive) {
        isActive = false
        const body = [{ op: 'replace' as const, path: '/name', value: `Name ${++conflicts}` }]
        await engine.api.patchEnvironment({ projectKey: 'web', environmentKey: 'production', body }, { as: admin })
        isActive = true
      }
      return inner.commit(batch)
    }
    return new Proxy(inner, { get: (target, method) => (method === 'commit' ? commit : Reflect.get(target, method)) })
  }
  const engine = createEngine({ storage: { ...memory, account }, rateLimit: false, ...options })
  const admin = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as: admin })
  isActive = true
  return { engine: { ...engine, admin }, conflicts: () => conflicts }
}
