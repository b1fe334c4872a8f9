import { readFileSync } from 'node:fs'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../index.ts'
import figures from './test/real-lead-times.json'

const admin = { as: { role: 'admin' } } as const
const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
const week = 7 * 86_400_000
const day = 86_400_000

/** A commit that was released. Times are integers in ms. */
interface ReleasedCommit {
  readonly application: string
  readonly version: string
  readonly commit: string
  readonly authoredAt: number
  readonly committedAt: number
  readonly releasedAt: number
}

const rows = readFileSync(new URL('./test/real-lead-times.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
const released = rows.map((row): ReleasedCommit => {
  const [application = '', version = '', commit = '', ...times] = row.split(',')
  const [authoredAt = 0, committedAt = 0, releasedAt = 0] = times.map(Number)
  return { application, version, commit, authoredAt, committedAt, releasedAt }
})

async function reportSamples({ api }: Engine): Promise<void> {
  const samples = released.map(({ application, commit, authoredAt, committedAt, releasedAt }) => ({
    externalId: `${application}:${commit}`,
    applicationKey: application,
    startedAt: authoredAt,
    mergedAt: committedAt,
    deployedAt: releasedAt,
  }))
  await api.createLeadTimeSamples({ body: { ...environmentKeys, samples } }, admin)
}

/** Reports the released commits in another form: first an event for each deployment, then the commits. */
async function reportCommits({ api }: Engine): Promise<void> {
  const releases = new Map<string, ReleasedCommit[]>()
  for (const commit of released) {
    const name = `${commit.application} ${commit.version}`
    releases.set(name, [...(releases.get(name) ?? []), commit])
  }
  const events = Array.from(releases.values(), (commits) => {
    const { application, version, releasedAt } = commits[0] as ReleasedCommit
    const commitIds = commits.map(({ commit }) => commit)
    return { applicationKey: application, version, eventType: 'finished', eventTime: releasedAt, commitIds } as const
  })
  await api.createDeploymentEvents({ body: { ...environmentKeys, events } }, admin)
  const commits = released.map(({ commit, authoredAt, committedAt }) => ({
    externalId: commit,
    authoredAt,
    committedAt,
  }))
  await api.createCommits({ body: { projectKey: 'web', commits } }, admin)
}

/** Rounded to a thousandth of a millisecond, like the table. */
function rounded(values: Readonly<Record<string, number>>) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Math.round(value * 1000) / 1000]))
}

describe.each([
  ['lead times', reportSamples],
  ['deployments and commits', reportCommits],
])('lead times of real projects, reported as %s', (_, reportData) => {
  it('equal the results of an independent computation, before and after summarizing', async () => {
    const engine = createEngine({ storage: createMemoryStorage(), clock: () => figures.to + day })
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, admin)
    await reportData(engine)
    const chartOf = (query: object) =>
      engine.api.getLeadTimeChart({ ...environmentKeys, expand: ['percentiles'], ...query }, admin)
    const quarter = { from: figures.from, to: figures.to, bucketMs: week }

    const { metadata, series } = await chartOf({ ...quarter, groupBy: 'application' })
    const { coding, review, wait, deploy, total, percentileError } = metadata.summary
    expect({ coding: rounded(coding), wait: rounded(wait), total: rounded(total) }).toEqual(figures.stages)
    expect([review.count, deploy.count, percentileError]).toEqual([0, 0, 0])
    const weeklySeries = series.map(({ metadata: { name }, data }) => [
      name,
      data.map(({ y, values }) => [values.count, Math.round(y * 1000) / 1000]),
    ])
    expect(Object.fromEntries(weeklySeries)).toEqual(figures.weeks)
    for (const [applicationKey, expected] of Object.entries(figures.applications)) {
      const { summary } = (await chartOf({ ...quarter, applicationKey })).metadata
      expect(rounded(summary.total)).toEqual(expected)
    }
    // Some commits have an author date after their commit date; only that stage is omitted.
    const years = { from: Date.UTC(2019, 0), to: Date.UTC(2023, 0), bucketMs: 365.25 * day, applicationKey: 'unleash' }
    const outOfOrder = (await chartOf(years)).metadata.summary
    expect(outOfOrder.coding.count).toBe(figures.outOfOrder.coding.count)
    expect([rounded(outOfOrder.wait), rounded(outOfOrder.total)]).toEqual([
      figures.outOfOrder.wait,
      figures.outOfOrder.total,
    ])

    await engine.compact()
    const summarized = (await chartOf({ ...quarter, groupBy: 'application' })).metadata.summary
    for (const stage of ['coding', 'wait', 'total'] as const) {
      const { count, mean, ...percentiles } = figures.stages[stage]
      expect(rounded(summarized[stage])).toMatchObject({ count, mean })
      for (const [name, exact] of Object.entries(percentiles)) {
        const actual = (summarized[stage] as Readonly<Record<string, number>>)[name] ?? Number.NaN
        expect(Math.abs(actual - exact)).toBeLessThan(summarized.percentileError * exact + 0.001)
      }
    }
  })
})
