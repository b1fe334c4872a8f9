import { describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import {
  account,
  accountForEachTest,
  base,
  type DeploymentAccount,
  environmentKeys,
  minute,
  now,
} from './test/deployment-account.ts'

accountForEachTest()

describe('listDeployments', () => {
  const versionsOf = (response: Awaited<ReturnType<DeploymentAccount['list']>>) =>
    response.items.map((deployment) => deployment.applicationVersion)

  it('filters by application, status, kind and start', async () => {
    await account.report('started', now - 4 * minute, { version: 'a' })
    await account.report('finished', now - 3 * minute, { version: 'b', applicationKey: 'api' })
    await account.report('failed', now - 2 * minute, { version: 'c', applicationKey: 'job' })
    await account.report('started', now - minute, { version: 'c', applicationKey: 'job' })
    expect(versionsOf(await account.list())).toEqual(['c', 'b', 'a'])
    expect(versionsOf(await account.list({ applicationKey: 'api,shop' }))).toEqual(['b', 'a'])
    expect(versionsOf(await account.list({ status: 'started' }))).toEqual(['c', 'a'])
    expect(versionsOf(await account.list({ status: 'finished' }))).toEqual(['b'])
    expect(versionsOf(await account.list({ kind: 'redeployment' }))).toEqual(['c'])
    expect(versionsOf(await account.list({ from: now - 3 * minute, to: now - minute }))).toEqual(['b'])
    expect(versionsOf(await account.list({ from: now - 4 * minute, to: now }))).toEqual(['c', 'b', 'a'])
  })

  it('pages by cursors in both directions, also among deployments with the same time', async () => {
    const times = [5, 4, 4, 4, 4, 4, 3, 2, 2, 1].map((minutes) => now - minutes * minute)
    for (const [i, time] of times.entries()) await account.report('started', time, { version: `v${i}` })
    const all = (await account.list()).items.map((deployment) => deployment.id)
    expect(all).toHaveLength(10)

    const fetchPage = async (href: string) => {
      const response = await account.send('GET', href)
      expect(response.status).toBe(200)
      return JSON.parse(response.body as string) as Awaited<ReturnType<DeploymentAccount['list']>>
    }
    const followLinks = async (href: string | undefined, rel: 'next' | 'prev') => {
      const pages: string[][] = []
      let page: Awaited<ReturnType<DeploymentAccount['list']>> | undefined
      for (let url = href; url; url = page._links[rel]?.href) {
        page = await fetchPage(url)
        expect(page.totalCount).toBe(10)
        pages.push(page.items.map((deployment) => deployment.id))
      }
      return { pages, last: page }
    }
    const first = `${base}/deployments?projectKey=web&environmentKey=production&limit=3`
    const forward = await followLinks(first, 'next')
    expect(forward.pages.map((page) => page.length)).toEqual([3, 3, 3, 1])
    expect(forward.pages.flat()).toEqual(all)
    expect((await fetchPage(first))._links).not.toHaveProperty('prev')

    const backward = await followLinks(forward.last?._links.prev?.href, 'prev')
    expect(backward.pages.reverse().flat()).toEqual(all.slice(0, 9))
    const back = await fetchPage(backward.last?._links.next?.href as string)
    expect(back.items.map((deployment) => deployment.id)).toEqual(all.slice(3, 6))
  })

  it('does not shift pages when newer deployments arrive', async () => {
    for (const [i, version] of ['a', 'b', 'c', 'd'].entries())
      await account.report('started', now - (10 - i) * minute, { version })
    const first = await account.list({ limit: 2 })
    await account.report('started', now, { version: 'new' })
    const after = /after=([^&]+)/.exec(first._links.next?.href ?? '')?.[1]
    expect(versionsOf(first)).toEqual(['d', 'c'])
    expect(versionsOf(await account.list({ limit: 2, after }))).toEqual(['b', 'a'])
  })

  it.each([
    ['', ['projectKey', 'environmentKey']],
    ['projectKey=web&environmentKey=production&limit=101', ['limit']],
    ['projectKey=web&environmentKey=production&limit=0', ['limit']],
    ['projectKey=web&environmentKey=production&status=gone', ['status']],
    ['projectKey=web&environmentKey=production&kind=rollback', ['kind']],
    ['projectKey=web&environmentKey=production&expand=all', ['expand.0']],
    // Events do not contain the flags that a version refers to, so there is nothing to expand.
    ['projectKey=web&environmentKey=production&expand=flagReferences', ['expand.0']],
    ['projectKey=web&environmentKey=production&after=here', ['after']],
    [`projectKey=web&environmentKey=production&after=1_${'0'.repeat(36)}&before=1_${'0'.repeat(36)}`, ['before']],
  ])('rejects ?%s', async (query, attributes) => {
    const response = await account.send('GET', `${base}/deployments?${query}`)
    expect(response.status).toBe(400)
    const { errors } = JSON.parse(response.body as string) as { errors: { attribute: string }[] }
    expect(errors.map((deployment) => deployment.attribute)).toEqual(attributes)
  })

  it('responds with 404 for an unknown project or environment, and requires viewProject', async () => {
    await expect(account.list({ projectKey: 'nope' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(account.list({ environmentKey: 'nope' })).rejects.toMatchObject({ code: 'not_found' })
    const policy: Statement[] = [{ effect: 'allow', resources: ['proj/other'], actions: ['viewProject'] }]
    await expect(account.api.listDeployments(environmentKeys, { as: { policy } })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})
