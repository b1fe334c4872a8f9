import { describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import type { Engine } from '../../index.ts'
import {
  admin,
  engineWithProjects,
  environmentKeys,
  history,
  hour,
  now,
  type Sample,
  send,
} from './test/simple-lead-times.ts'

describe('createLeadTimeSamples', () => {
  const samples = history(2500, 7)
  const addSamples = (engine: Engine, samplesToAdd: readonly Sample[]) =>
    engine.api.createLeadTimeSamples({ body: { ...environmentKeys, samples: [...samplesToAdd] } }, { as: admin })

  it('returns the numbers of added and known samples', async () => {
    const engine = await engineWithProjects()
    expect(await addSamples(engine, samples.slice(0, 1000))).toEqual({ accepted: 1000, added: 1000, known: 0 })
    expect(await addSamples(engine, samples.slice(500, 2000))).toEqual({ accepted: 1500, added: 1000, known: 500 })
    expect(await addSamples(engine, samples.slice(0, 2000))).toEqual({ accepted: 2000, added: 0, known: 2000 })
    expect(await addSamples(engine, [])).toEqual({ accepted: 0, added: 0, known: 0 })
  })

  it('keeps the first of two samples with the same id, even in one request', async () => {
    const engine = await engineWithProjects()
    const first = {
      externalId: 'a',
      applicationKey: 'api',
      startedAt: now - 3 * hour,
      mergedAt: now - 2 * hour,
      deployedAt: now - hour,
    }
    const second = { ...first, startedAt: now - 9 * hour }
    expect(await addSamples(engine, [first, second])).toEqual({ accepted: 2, added: 1, known: 1 })
    const chart = await engine.api.getLeadTimeChart(environmentKeys, { as: admin })
    expect(chart.metadata.summary.total).toEqual({ count: 1, mean: 2 * hour })
  })

  it('responds with 201, and requires the beta header', async () => {
    const engine = await engineWithProjects()
    const path = '/api/v2/engineering-insights/lead-time-samples'
    const body = { ...environmentKeys, samples: samples.slice(0, 3) }
    const response = await send(engine, path, { body })
    expect(response.status).toBe(201)
    expect(JSON.parse(response.body as string)).toEqual({ accepted: 3, added: 3, known: 0 })
    expect((await send(engine, path, { body, headers: { 'svc-api-version': '' } })).status).toBe(403)
  })

  it('rejects more than 10,000 samples', async () => {
    const engine = await engineWithProjects()
    const tooMany = history(10_001, 3)
    expect((await addSamples(engine, tooMany.slice(0, 10_000))).added).toBe(10_000)
    await expect(addSamples(engine, tooMany)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'samples' }],
    })
  })

  it('reports all validation errors of the body', async () => {
    const engine = await engineWithProjects()
    const body = {
      environmentKey: 'production',
      samples: [{ externalId: '', applicationKey: 'a b', startedAt: -1, mergedAt: 'x' }],
    }
    const response = await send(engine, '/api/v2/engineering-insights/lead-time-samples', { body })
    expect(response.status).toBe(400)
    const errorBody = JSON.parse(response.body as string) as { code: string; errors: { attribute: string }[] }
    expect(errorBody.code).toBe('invalid_request')
    expect(errorBody.errors.map((error) => error.attribute).sort()).toEqual([
      'projectKey',
      'samples.0.applicationKey',
      'samples.0.deployedAt',
      'samples.0.externalId',
      'samples.0.mergedAt',
      'samples.0.startedAt',
    ])
  })

  it('is rejected with 404 for an unknown project or environment', async () => {
    const engine = await engineWithProjects()
    for (const unknownKey of [{ projectKey: 'nope' }, { environmentKey: 'nope' }]) {
      const body = { ...environmentKeys, ...unknownKey, samples: [] }
      await expect(engine.api.createLeadTimeSamples({ body }, { as: admin })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
  })

  it('requires createLeadTimeSample in the environment of the body', async () => {
    const engine = await engineWithProjects()
    const statement = (environment: string): Statement => ({
      effect: 'allow',
      resources: [`proj/web:env/${environment}:lead-time-sample/*`],
      actions: ['createLeadTimeSample'],
    })
    const call = (environment: string) =>
      engine.api.createLeadTimeSamples(
        { body: { ...environmentKeys, samples: [] } },
        { as: { policy: [statement(environment)] } },
      )
    await expect(call('production')).resolves.toEqual({ accepted: 0, added: 0, known: 0 })
    await expect(call('test')).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('deletes the samples with their environment', async () => {
    const engine = await engineWithProjects()
    await addSamples(engine, samples)
    await engine.api.deleteEnvironment(environmentKeys, { as: admin })
    await engine.api.createEnvironment(
      { projectKey: 'web', body: { key: 'production', name: 'P', color: '000000' } },
      { as: admin },
    )
    const chart = await engine.api.getLeadTimeChart(environmentKeys, { as: admin })
    expect(chart.series.map((error) => error.metadata.count)).toEqual([0, 0, 0, 0, 0])
  })
})
