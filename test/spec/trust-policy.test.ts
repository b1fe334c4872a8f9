import { createEngine } from '@halyard/core'
import type { AccountStorage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { expectShape, listOf, members, string, unspecified } from './answer-shape.ts'
import { describeGates } from './gates.ts'
import { answerOf, asking, doors, refusals, type SpecOperation, staged } from './spec-operation.ts'

const generateTrustPolicy = {
  id: 'generateTrustPolicy',
  method: 'POST',
  path: '/api/v2/destinations/projects/{projKey}/environments/{envKey}/generate-trust-policy',
  success: 201,
} as const satisfies SpecOperation

const trustPolicy = members({
  awsTrustPolicy: members({
    Version: string,
    Statement: listOf(
      members({ Effect: string, Action: listOf(string), Principal: unspecified, Condition: unspecified }),
    ),
  }),
})

const dataExportRoleArn = 'arn:aws:iam::123456789012:role/data-export'
const options = { dataExportRoleArn }
const place = { projKey: 'web', envKey: 'production' }

async function project({ given }: TestEngine) {
  await given.project('web')
  return { question: { params: place }, more: {} }
}

describeGates(generateTrustPolicy, project, options)

describe.each(doors)('generateTrustPolicy %s', (door) => {
  it('has every field of docs/specification.md', async () => {
    const { engine, question } = await staged(project, options)
    const answer = await answerOf(asking(engine, generateTrustPolicy, door)(question), generateTrustPolicy)
    expectShape(answer, trustPolicy)
    expect(answer.awsTrustPolicy).toEqual({
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

  it('returns the same policy at each call, and another one for each environment (D28)', async () => {
    const { engine, question } = await staged(project, options)
    const ask = asking(engine, generateTrustPolicy, door)
    const first = await answerOf(ask(question), generateTrustPolicy)
    expect(await answerOf(ask(question), generateTrustPolicy)).toEqual(first)
    const other = await answerOf(ask({ params: { ...place, envKey: 'test' } }), generateTrustPolicy)
    expect(other).not.toEqual(first)
  })

  it('gets 400 when the engine has no dataExportRoleArn', async () => {
    const { engine, question } = await staged(project)
    expect(await asking(engine, generateTrustPolicy, door)(question)).toEqual({
      status: 400,
      body: { code: 'invalid_request', message: expect.stringContaining('dataExportRoleArn') },
    })
  })

  it.each([{ projKey: 'none' }, { envKey: 'none' }])('is not found with %o', async (elsewhere) => {
    const { engine } = await staged(project, options)
    const outcome = await asking(engine, generateTrustPolicy, door)({ params: { ...place, ...elsewhere } })
    expect(outcome).toEqual(refusals.not_found)
  })

  it('gets optimistic_locking_error when the environment changes before both attempts', async () => {
    const { engine, losses } = await losingEngine()
    expect(await asking(engine, generateTrustPolicy, door)({ params: place })).toEqual(
      refusals.optimistic_locking_error,
    )
    expect(losses()).toBe(2)
  })

  it('is forbidden for a caller with read rights only', async () => {
    const { engine, question } = await staged(project, options)
    const { token } = await engine.given.token({ role: 'reader' })
    expect(await asking(engine, generateTrustPolicy, door)({ ...question, as: token })).toEqual(refusals.forbidden)
  })
})

/** Creates an engine in which the environment is renamed immediately before each commit of a trust policy. */
async function losingEngine() {
  const sound = createMemoryStorage()
  let armed = false
  let losses = 0
  const account = (name: string): AccountStorage => {
    const found = sound.account(name)
    const commit: AccountStorage['commit'] = async (batch) => {
      if (armed) {
        armed = false
        const body = [{ op: 'replace' as const, path: '/name', value: `Name ${++losses}` }]
        await engine.api.patchEnvironment({ projectKey: 'web', environmentKey: 'production', body }, { as: admin })
        armed = true
      }
      return found.commit(batch)
    }
    return new Proxy(found, { get: (target, verb) => (verb === 'commit' ? commit : Reflect.get(target, verb)) })
  }
  const engine = createEngine({ storage: { ...sound, account }, rateLimit: false, ...options })
  const admin = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as: admin })
  armed = true
  return { engine: { ...engine, admin }, losses: () => losses }
}
