import { beforeAll, describe, expect, it } from 'vitest'
import { plainComparison, plainRating, plainScores } from '../../rules/insight-score/plain-scores.fixture.ts'
import { day, type InsightAccount, insightAccount, start } from './test/insight-account.ts'
import { applications, plainInputs, releasesFrom, reportReleases } from './test/real-months.ts'

const releases = releasesFrom(start - 60 * day)
const aggregates = {
  velocity: ['deploymentFrequency', 'leadTime'],
  risk: ['deploymentFailureRate', 'impactSize'],
  efficiency: ['flagHealth', 'experimentationCoverage'],
  overall: ['velocity', 'risk', 'efficiency'],
}

/**
 * Twenty groups: each project, pairs of projects, all of them, some in another order, and one application without data.
 */
const pairs = applications.flatMap((first, i) => applications.slice(i + 1).map((second) => [first, second]))
const groups: readonly (readonly string[] | undefined)[] = [
  undefined,
  ...applications.map((application) => [application]),
  ...pairs.slice(0, 9),
  applications,
  applications.toReversed(),
  ['unheard-of'],
  ['unheard-of', 'hono'],
]

/**
 * Returns the scores of a group at a time, computed independently as decision D26
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores) defines them.
 */
function expectedScores(group: readonly string[] | undefined, now: number) {
  const current = plainScores(plainInputs(releases, group ?? applications, now))
  const previous = plainScores(plainInputs(releases, group ?? applications, now - 30 * day))
  const names = Object.keys(current) as (keyof typeof current)[]
  return Object.fromEntries(
    names.map((name) => {
      const aggregateOf = (aggregates as Partial<Record<string, string[]>>)[name]
      return [name, { ...plainComparison(current[name], previous[name]), ...(aggregateOf ? { aggregateOf } : {}) }]
    }),
  )
}

let account: InsightAccount

beforeAll(async () => {
  account = await insightAccount()
  await reportReleases(account, releases)
  for (const [i, applicationKeys] of groups.entries()) {
    await account.create(`g${String(i).padStart(2, '0')}`, applicationKeys ? { applicationKeys } : {})
  }
})

describe('three months of six real projects', () => {
  it('have the same scores as an independent computation, for twenty groups and each month', async () => {
    for (const now of [start, start + 30 * day]) {
      const { items, metadata } = await account.list({ expand: 'scores,metadata' })
      expect(items.map(({ applicationKeys }) => applicationKeys)).toEqual(groups)
      for (const { key, scores, applicationKeys } of items) {
        expect([key, scores]).toEqual([key, expectedScores(applicationKeys, now)])
      }
      const counts = { excellent: 0, good: 0, fair: 0, needsAttention: 0, notCalculated: 0, unknown: 0 }
      for (const group of groups) {
        const { overall } = plainScores(plainInputs(releases, group ?? applications, now))
        counts[plainRating(overall).indicator as keyof typeof counts]++
      }
      expect(metadata?.countByIndicator).toEqual({ ...counts, total: 20 })
      account.pass(30 * day)
    }
  })

  it('have scores in every tier, so that the comparison is meaningful', () => {
    const allScores = groups.flatMap((group) =>
      [start, start + 30 * day].flatMap((now) => Object.values(expectedScores(group, now))),
    )
    expect(new Set(allScores.map(({ indicator }) => indicator))).toEqual(
      new Set(['excellent', 'good', 'fair', 'needsAttention', 'notCalculated', 'unknown']),
    )
    const changes = allScores.map(({ diffVsLastPeriod = 0 }) => Math.sign(diffVsLastPeriod))
    expect(new Set(changes)).toEqual(new Set([-1, 0, 1]))
  })
})
