import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { afterAll, expect, it } from 'vitest'
import { importDeployments } from '../src/import/import-deployments.ts'
import { importPullRequests } from '../src/import/import-pull-requests.ts'
import { capturedTerminal } from './captured-terminal.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'halyard-import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const environment = { projectKey: 'web', environmentKey: 'production' }

async function emptyTarget() {
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => Date.UTC(2026, 1, 1) })
  const api = engine.as({ role: 'owner' })
  await api.createProject({ body: { key: 'web', name: 'Web' } })
  return { ...environment, api, close: () => engine.close() }
}

const github = {
  number: 7,
  url: 'https://github.example/octo/shop/pull/7',
  title: 'Faster checkout',
  state: 'MERGED',
  author: { login: 'ann', name: 'Ann' },
  createdAt: '2026-01-02T10:00:00Z',
  mergedAt: '2026-01-03T10:00:00Z',
  closedAt: '2026-01-03T10:00:00Z',
  updatedAt: '2026-01-03T11:00:00Z',
  additions: 10,
  deletions: 4,
  changedFiles: 2,
  mergeCommit: { oid: 'm7' },
  commits: [{ oid: 'c1', authoredDate: '2026-01-01T10:00:00Z', committedDate: '2026-01-01T11:00:00Z' }],
}

const gitlab = {
  iid: 3,
  web_url: 'https://gitlab.example/group/sub/api/-/merge_requests/3',
  title: 'Slower',
  state: 'opened',
  author: { username: 'bob' },
  created_at: '2026-01-04T10:00:00.000Z',
  merged_at: null,
  merge_commit_sha: null,
}

it('pull requests are imported from a JSON list or from JSON lines, and a second import changes nothing', async () => {
  const target = await emptyTarget()
  const file = path.join(folder, 'prs.json')
  writeFileSync(file, JSON.stringify([github, { ...github, number: 'eight' }, gitlab]))
  const first = capturedTerminal()
  await importPullRequests(file, target, first.terminal)
  expect(first.out()).toBe('2 added or changed, 0 already present, 1 skipped\n')
  expect(first.err()).toBe('pull request 2: number is invalid; skipped\npull requests: 3 of 3\n')
  const again = capturedTerminal([github, gitlab].map((deployment) => JSON.stringify(deployment)).join('\n'))
  await importPullRequests('-', target, again.terminal)
  expect(again.out()).toBe('0 added or changed, 2 already present, 0 skipped\n')

  const deployedAt = Date.UTC(2026, 0, 4, 10)
  const event = { applicationKey: 'shop', version: '1', eventType: 'finished', eventTime: deployedAt } as const
  await target.api.createDeploymentEvents({ body: { ...environment, events: [{ ...event, commitIds: ['m7'] }] } })
  const { items } = await target.api.listPullRequests({ projectKey: 'web' })
  expect(items).toEqual([
    {
      externalId: 'group/sub/api!3',
      repositoryKey: 'group/sub/api',
      title: 'Slower',
      url: gitlab.web_url,
      author: 'bob',
      status: 'open',
      createTime: String(Date.UTC(2026, 0, 4, 10)),
      numberOfCommits: 0,
      linesAdded: 0,
      linesDeleted: 0,
    },
    {
      externalId: 'octo/shop#7',
      repositoryKey: 'octo/shop',
      title: 'Faster checkout',
      url: github.url,
      author: 'ann',
      status: 'deployed',
      createTime: String(Date.UTC(2026, 0, 2, 10)),
      mergeTime: String(Date.UTC(2026, 0, 3, 10)),
      closeTime: String(Date.UTC(2026, 0, 3, 10)),
      firstCommitTime: String(Date.UTC(2026, 0, 1, 10)),
      numberOfCommits: 1,
      filesChanged: 2,
      linesAdded: 10,
      linesDeleted: 4,
      leadTime: 3 * 24 * 3_600_000,
    },
  ])
})

it('an interrupted import of pull requests writes nothing, and unreadable input is refused', async () => {
  const target = await emptyTarget()
  const interrupted = capturedTerminal(JSON.stringify([github]), AbortSignal.abort())
  await expect(importPullRequests('-', target, interrupted.terminal)).rejects.toThrow()
  expect((await target.api.listPullRequests({ projectKey: 'web' })).totalCount).toBe(0)
  await expect(importPullRequests('-', target, capturedTerminal('{"number":').terminal)).rejects.toThrow(
    'standard input is neither a JSON list nor JSON lines',
  )
  await expect(importPullRequests(path.join(folder, 'none'), target, capturedTerminal().terminal)).rejects.toThrow(
    /ENOENT/,
  )
})

it('releases are imported from a CSV file', async () => {
  const target = await emptyTarget()
  const file = path.join(folder, 'deployments.csv')
  writeFileSync(file, 'application,version,released_at_ms,commits\nshop,v1/a,5000,3\nshop,v2,soon,1\napi,v1,6000,2\n')
  for (const [output, line] of [
    ['2 added, 0 already present, 1 skipped\n', 'line 3: released_at_ms must be Unix milliseconds; skipped\n'],
    ['0 added, 2 already present, 1 skipped\n', ''],
  ] as const) {
    const run = capturedTerminal()
    await importDeployments(file, target, run.terminal)
    expect(run.out()).toBe(output)
    expect(run.err()).toContain(line)
  }
  const { items } = await target.api.listDeployments(environment)
  expect(
    items.map((deployment) => [deployment.applicationKey, deployment.applicationVersion, deployment.endedAt]),
  ).toEqual([
    ['api', 'v1', '6000'],
    ['shop', 'v1-a', '5000'],
  ])
})
