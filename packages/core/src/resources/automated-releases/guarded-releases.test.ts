import { describe, expect, it } from 'vitest'
import type { Send } from '../../entries/webhooks.ts'
import { createEngine } from '../../index.ts'
import { engineRequest } from '../account/test/calls.ts'
import { flagProject, start, validationErrorOf } from '../flags/test/flag-project.ts'
import { exposed, tracked } from '../measurements/test/measured.ts'

const hour = 3_600_000
const production = { projectKey: 'web', environmentKey: 'production' }

/** Starts a guarded release of `checkout` that compares the metric `errors`. Fewer errors are better. */
async function guardedProject({ autoRollback = true, minSampleSize = 100 } = {}) {
  const project = await flagProject()
  const { api, as, create, get, engine } = project
  const metric = { key: 'errors', kind: 'custom', eventKey: 'error', isNumeric: false }
  await api.postMetric(
    { projectKey: 'web', body: { ...metric, successCriteria: 'LowerThanBaseline', name: 'Errors' } as never },
    { as },
  )
  await create('checkout')
  const [on, off] = (await get('checkout')).variations.map(({ _id }) => _id) as [string, string]
  const release = {
    kind: 'startAutomatedRelease',
    releaseKind: 'guarded',
    originalVariationId: off,
    targetVariationId: on,
    stages: [
      { allocation: 50_000, durationMillis: hour },
      { allocation: 80_000, durationMillis: hour },
    ],
    metrics: [{ key: 'errors' }],
    metricMonitoringPreferences: { errors: { autoRollback } },
    minSampleSize,
  }
  const startRelease = (overrides: object = {}) =>
    project.instruct('checkout', [{ kind: 'turnFlagOn' }, { ...release, ...overrides }])
  let users = 0
  return {
    ...project,
    startRelease,
    /** Reports contexts with a variation. A fraction of the contexts has an error. */
    async report(variation: number, contexts: number, errorRate: number, at: number) {
      const events = Array.from({ length: contexts }, (_, index) => {
        const user = `user-${users++}`
        const exposure = exposed('checkout', user, variation, { at })
        return index < contexts * errorRate ? [exposure, tracked('error', user, { at })] : [exposure]
      })
      await reportEvents(engine, as, events.flat())
    },
    run: async (ms = 0) => {
      project.pass(ms)
      await engine.sdk.flush()
      return engine.runDueTasks()
    },
    config: async () => (await get('checkout')).environments?.production,
    list: async () => (await api.listAutomatedReleases({ ...production, flagKey: 'checkout' }, { as })).items,
    lines: async () => (await api.listChangeLog({ limit: 5 }, { as })).items,
  }
}

type Project = Awaited<ReturnType<typeof flagProject>>

/** Sends events as a server-side SDK does. */
async function reportEvents({ api, sdk }: Project['engine'], as: Project['as'], events: readonly object[]) {
  const { apiKey } = await api.getEnvironment(production, { as })
  const response = await sdk.handle(engineRequest('POST', '/bulk', events, { authorization: apiKey }))
  expect(response?.status).toBe(202)
}

describe('a guarded release', () => {
  it('is rolled back after events that show a regression, with the reason in the change log', async () => {
    const { startRelease, report, run, config, list, lines } = await guardedProject()
    await startRelease()
    await report(0, 400, 0.4, start + 1)
    await report(1, 400, 0.05, start + 1)
    await run(1_000)
    expect((await config())?.fallthrough).toEqual({ variation: 1 })
    const reason = 'the metric errors is worse with the new variation'
    expect(await list()).toMatchObject([{ status: 'rolledBack', reason }])
    const [entry] = await lines()
    expect(entry?.titleVerb).toBe(`rolled back the guarded release of checkout in Production: ${reason}`)
  })

  it('sends webhooks the reason for the rollback', async () => {
    const { startRelease, report, run, api, as, storage } = await guardedProject()
    const body = { url: 'https://hooks.example.com/flags', on: true, sign: false }
    await api.createWebhook({ body }, { as })
    await startRelease()
    await report(0, 400, 0.4, start + 1)
    await report(1, 400, 0.05, start + 1)
    await run(1_000)
    const texts: string[] = []
    const send: Send = async ({ body }) => {
      texts.push(JSON.parse(body).titleVerb)
      return { outcome: 'answered', status: 200, body: '', ms: 1 }
    }
    const sender = createEngine({ storage, clock: () => start + 2_000, webhooks: { send } })
    while ((await sender.runDueTasks()).delivered > 0);
    expect(texts).toContain(
      'rolled back the guarded release of checkout in Production: the metric errors is worse with the new variation',
    )
  })

  it('is rolled back by one run of the due tasks, which writes the events before it takes tasks', async () => {
    const { startRelease, report, pass, engine, config } = await guardedProject()
    await startRelease()
    await report(0, 400, 0.4, start + 1)
    await report(1, 400, 0.05, start + 1)
    // Events wait in memory for ten seconds.
    pass(10_000)
    await engine.runDueTasks()
    expect((await config())?.fallthrough).toEqual({ variation: 1 })
  })

  it('has results that equal an independent computation, and lists the completed stages', async () => {
    const { startRelease, report, run, api, as, list } = await guardedProject()
    await startRelease()
    const [release] = await list()
    const results = () =>
      api.getAutomatedReleaseResults({ ...production, flagKey: 'checkout', id: release?.id ?? '' }, { as })
    expect(await results()).toMatchObject({
      stageIndex: 0,
      allocation: 50_000,
      metrics: [{ key: 'errors', verdict: 'collecting' }],
    })
    await report(0, 400, 0.1, start + 1)
    await report(1, 500, 0.2, start + 1)
    await run(1_000)
    const { original, target, metrics, updatedAt } = await results()
    expect([original.units, target.units, updatedAt]).toEqual([500, 400, String(start + 1_000)])
    // Fewer errors are better, so the new variation is not a regression.
    expect(metrics).toMatchObject([{ name: 'Errors', successCriteria: 'LowerThanBaseline', verdict: 'healthy' }])
    expect(metrics[0]?.difference?.estimate).toBeCloseTo(40 / 400 - 100 / 500, 12)
    expect(metrics[0]?.relativeDifference?.estimate).toBeCloseTo(-0.5, 12)
    await run(hour)
    expect(await list()).toMatchObject([
      {
        latestStageIndex: 1,
        passedStages: [{ stageIndex: 0, startedAt: String(start), endedAt: String(start + 1_000 + hour) }],
      },
    ])
    // The counts of the second stage begin at 0.
    expect(await results()).toMatchObject({ stageIndex: 1, original: { units: 0 }, target: { units: 0 } })
  })

  it('is held when its metric is not set to roll back, and continues when a caller accepts the regression', async () => {
    const { startRelease, report, run, config, instruct } = await guardedProject({ autoRollback: false })
    await startRelease()
    await report(0, 400, 0.4, start + 1)
    await report(1, 400, 0.05, start + 1)
    await run(1_000)
    expect((await config())?.automatedReleases).toMatchObject([
      { status: 'held', reason: 'the metric errors is worse with the new variation' },
    ])
    await instruct('checkout', [{ kind: 'resumeAutomatedRelease' }])
    await report(0, 10, 0.4, start + 1_001)
    await run()
    expect((await config())?.automatedReleases).toMatchObject([{ status: 'running' }])
  })

  it('continues with its next stage when there is no regression', async () => {
    const { startRelease, report, run, config } = await guardedProject()
    await startRelease()
    await report(0, 400, 0.1, start + 1)
    await report(1, 400, 0.1, start + 1)
    await run(1_000)
    expect((await config())?.automatedReleases).toMatchObject([{ status: 'running', latestStageIndex: 0 }])
    await run(hour)
    expect((await config())?.automatedReleases).toMatchObject([{ status: 'running', latestStageIndex: 1 }])
  })

  it('extends a stage until each variation has enough contexts', async () => {
    const { startRelease, report, run, config } = await guardedProject()
    await startRelease()
    await report(0, 50, 0, start + 1)
    await report(1, 50, 0, start + 1)
    await run(hour)
    expect((await config())?.automatedReleases).toMatchObject([
      { latestStageIndex: 0, nextStepAt: String(start + 2 * hour), reason: 'fewer than 100 contexts per variation' },
    ])
    await report(0, 60, 0, start + hour)
    await report(1, 60, 0, start + hour)
    await run(hour)
    expect((await config())?.automatedReleases).toMatchObject([{ latestStageIndex: 1 }])
  })

  it('is held when too few contexts of one variation are counted', async () => {
    const { startRelease, report, run, config } = await guardedProject()
    await startRelease()
    await report(0, 150, 0.1, start + 1)
    await report(1, 450, 0.1, start + 1)
    await run(1_000)
    expect((await config())?.automatedReleases).toMatchObject([
      { status: 'held', reason: 'the ratio of contexts per variation, 450 to 150, is not that of the stage' },
    ])
  })

  it('cannot start with a metric that does not exist', async () => {
    const { startRelease } = await guardedProject()
    expect(await validationErrorOf(startRelease({ metrics: [{ key: 'gone' }] }))).toEqual({
      attribute: 'metrics',
      reason: 'must exist in the project: a guarded release compares the metric gone',
    })
  })

  it('of a policy with metric groups compares the metrics of the groups', async () => {
    const { api, as, instruct, config } = await guardedProject()
    await api.createMetricGroup(
      {
        projectKey: 'web',
        body: { key: 'core', name: 'Core', kind: 'standard', metrics: [{ key: 'errors' }] } as never,
      },
      { as },
    )
    const guardedReleaseConfig = {
      metricGroupKeys: ['core'],
      minSampleSize: 10,
      rollbackOnRegression: true,
      stages: [{ allocation: 10_000, durationMillis: hour }],
    }
    await api.createReleasePolicy(
      { projectKey: 'web', body: { key: 'p', name: 'P', releaseMethod: 'guarded-release', guardedReleaseConfig } },
      { as },
    )
    await instruct('checkout', [{ kind: 'turnFlagOn' }])
    expect((await config())?.automatedReleases).toMatchObject([
      { kind: 'guarded', minSampleSize: 10, metrics: [{ key: 'core', isGroup: true, autoRollback: true }] },
    ])
  })
})

describe('the filter guardedRollout of listFlags', () => {
  async function filteredProject(settings: Parameters<typeof guardedProject>[0] = {}) {
    const project = await guardedProject(settings)
    const { api, as, create } = project
    await create('other')
    return {
      ...project,
      /** Returns the values of the filter that match `checkout`, and expects that no value matches another flag. */
      async states(suffix = '') {
        const values = ['any', 'monitoring', 'regressed', 'rolledBack', 'completed']
        const flagKeys = await Promise.all(
          values.map(async (value) => {
            const filter = `guardedRollout:${value}${suffix}`
            return (await api.listFlags({ projectKey: 'web', filter }, { as })).items.map(({ key }) => key).join()
          }),
        )
        expect(flagKeys.filter((keys) => keys !== '' && keys !== 'checkout')).toEqual([])
        return values.filter((_, index) => flagKeys[index] !== '').join(' ')
      },
    }
  }

  it('finds a flag by the state of its latest guarded release, in any environment or in one', async () => {
    const { startRelease, report, run, states, instruct, get } = await filteredProject()
    expect(await states()).toBe('')
    await instruct('other', [{ kind: 'turnFlagOn' }])
    await startRelease()
    expect(await states()).toBe('any monitoring')
    expect(await states(',filterEnv:production')).toBe('any monitoring')
    expect(await states(',filterEnv:test')).toBe('')
    await report(0, 400, 0.4, start + 1)
    await report(1, 400, 0.05, start + 1)
    await run(1_000)
    expect(await states()).toBe('any rolledBack')
    await startRelease({ stages: [] })
    expect(await states()).toBe('any completed')
    await startRelease()
    const finalVariationId = (await get('checkout')).variations[0]?._id
    await instruct('checkout', [{ kind: 'stopAutomatedRelease', finalVariationId }])
    expect(await states()).toBe('any')
  })

  it('finds a regressed flag while its release is held', async () => {
    const { startRelease, report, run, states, instruct } = await filteredProject({ autoRollback: false })
    await startRelease()
    await instruct('checkout', [{ kind: 'holdAutomatedRelease' }])
    expect(await states()).toBe('any monitoring')
    await instruct('checkout', [{ kind: 'resumeAutomatedRelease' }])
    await report(0, 400, 0.4, start + 1)
    await report(1, 400, 0.05, start + 1)
    await run(1_000)
    expect(await states()).toBe('any regressed')
    await instruct('checkout', [{ kind: 'resumeAutomatedRelease' }])
    expect(await states()).toBe('any monitoring')
    await instruct('checkout', [{ kind: 'holdAutomatedRelease' }])
    expect(await states()).toBe('any monitoring')
  })

  it('finds flags whose configuration was stored by an earlier version', async () => {
    const { startRelease, states, account, instruct } = await filteredProject()
    await startRelease()
    await instruct('other', [{ kind: 'turnFlagOn' }])
    const query = { collection: 'flag-config', scope: 'proj/web:env/production', select: 'fields' } as const
    for (const { key, scope, version, fields } of (await account.list({ ...query, limit: 10 })).items) {
      const id = { collection: 'flag-config', scope, key }
      const { guardedReleases, ...before } = fields
      expect(guardedReleases).toEqual(key === 'checkout' ? ['monitoring'] : [])
      const [stored] = await account.getMany([id])
      await account.commit([{ do: 'replace', id, version, body: stored?.body, fields: before }])
    }
    expect(await states()).toBe('any monitoring')
    expect(await states(',filterEnv:test')).toBe('')
  })
})
