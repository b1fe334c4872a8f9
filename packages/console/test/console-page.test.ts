import { describe, expect, it } from 'vitest'
import { openConsole, openPageForEachTest, page, servedConsole, tableOf, waitUntilShown } from './page-in-browser.ts'
import { adminToken, day, hour } from './served-console.ts'

openPageForEachTest()

interface Chart {
  readonly series: readonly {
    readonly metadata: { readonly name: string }
    readonly data: readonly { readonly x: number; readonly y: number; readonly values: Record<string, number> }[]
  }[]
}

const end = () => Math.floor(Date.now() / day) * day + day

function readChart(query: string, days = 30): Promise<Chart> {
  const range = `from=${end() - days * day}&to=${end()}&expand=percentiles`
  const environmentQuery = 'projectKey=shop&environmentKey=production'
  return servedConsole.read(`engineering-insights/charts/lead-time?${environmentQuery}&${range}&${query}`)
}

/**
 * Returns the rows that a table of days must have for a response of the API. An independent implementation, not that of
 * the page.
 */
function rowsOf({ series }: Chart, read: (point: Chart['series'][number]['data'][number]) => number): string[][] {
  const nonEmptySeries = series.filter(({ data }) => data.some(({ values }) => values.count! > 0))
  const rows = nonEmptySeries[0]!.data.map(({ x }, index) => [
    new Date(x).toISOString(),
    ...nonEmptySeries.map(({ data }) =>
      data[index]!.values.count === 0 ? '–' : String(Math.round((read(data[index]!) / day) * 10) / 10),
    ),
  ])
  return [
    ['From (UTC)', ...nonEmptySeries.map(({ metadata }) => metadata.name)],
    ...rows.filter((row) => row.slice(1).some((cell) => cell !== '–')),
  ]
}

describe('the console page', () => {
  it('shows the mean values of the response of the API, by application', async () => {
    await openConsole('?project=shop')
    const chart = await readChart('groupBy=application&bucketType=day')
    const rows = await tableOf('#lead-time')
    expect(rows[0]).toEqual(['From (UTC)', 'catalogue', 'checkout', 'mail', 'search'])
    expect(rows.length).toBeGreaterThan(20)
    expect(rows).toEqual(rowsOf(chart, ({ y }) => y))
  })

  it('shows percentiles by stage in buckets of seven days when they are selected', async () => {
    await openConsole('?project=shop&environment=production&range=90&bucket=week&group=stage&measure=p90')
    const chart = await readChart(`groupBy=stage&bucketType=rolling&bucketMs=${7 * day}`, 90)
    expect(await tableOf('#lead-time')).toEqual(rowsOf(chart, ({ values }) => values.p90!))
  })

  it('shows the statistics of the whole range', async () => {
    await openConsole('?project=shop')
    const { metadata } = (await readChart('groupBy=application&bucketType=day')) as never as {
      metadata: { summary: { total: { count: number; mean: number; p95: number } } }
    }
    const { count, mean, p95 } = metadata.summary.total
    const text = await page.locator('#figures').textContent()
    expect(text).toContain(`Changes${count}`)
    expect(text).toContain(`Mean${Math.round((mean / day) * 10) / 10} days`)
    expect(text).toContain(`P95${Math.round((p95 / day) * 10) / 10} days`)
  })

  it('shows the scores of the environment and of its groups, with explanations', async () => {
    await openConsole('?project=shop')
    const { items } = (await servedConsole.read('engineering-insights/insights/groups?expand=scores')) as {
      items: { scores: Record<string, { score: number; indicator: string }> }[]
    }
    const groupScore = page.locator('.score', { hasText: 'Front of the shop' })
    await groupScore.locator('summary').click()
    const text = await groupScore.textContent()
    const { overall, leadTime } = items[0]!.scores
    expect(text).toContain(`${overall!.score} (${overall!.indicator})`)
    expect(text).toContain(`${leadTime!.score} (${leadTime!.indicator})`)
    expect(text).toContain('Measures median time from first commit to deployment.')
    expect(await page.locator('.score').count()).toBe(2)
  })

  it('draws a chart that has a label for screen readers', async () => {
    await openConsole('?project=shop')
    const chart = page.locator('#lead-time .chart')
    expect(await chart.getAttribute('role')).toBe('img')
    expect(await chart.getAttribute('aria-label')).toContain('30 points in time, of catalogue, checkout, mail, search')
    const pixelColors = await chart.locator('canvas').evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement
      const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
      return new Set(new Uint32Array(data.buffer)).size
    })
    expect(pixelColors).toBeGreaterThan(5)
  })

  it('shows the first and the last of 2,000 buckets', async () => {
    const last = new Date(end() - 1).toISOString().slice(0, 10)
    const first = new Date(end() - 83 * day).toISOString().slice(0, 10)
    await openConsole(`?project=shop&range=custom&from=${first}&to=${last}&bucket=hour`)
    const label = await page.locator('#lead-time .chart').getAttribute('aria-label')
    expect(label).toContain(`${(83 * day) / hour} points in time`)
    expect((await tableOf('#lead-time')).length).toBeGreaterThan(60)
  })

  it('shows a range that has only one bucket', async () => {
    const today = new Date().toISOString().slice(0, 10)
    await openConsole(`?project=shop&range=custom&from=${today}&to=${today}&bucket=day`)
    expect((await tableOf('#lead-time')).length).toBe(2)
  })
})

describe('the messages of the console page', () => {
  it('show how to import deployments for a project without any', async () => {
    await openConsole('?project=bare')
    const text = await page.locator('#empty').textContent()
    expect(text).toContain('halyard import git ../your/repository --project bare --environment production')
    expect(text).toContain(`curl -X POST '${servedConsole.origin}/api/v2/engineering-insights/deployment-events'`)
  })

  it('contain a call of the API that succeeds for an empty project', async () => {
    await servedConsole.api.createProject({ body: { key: 'fresh', name: 'Fresh' } })
    await openConsole('?project=fresh')
    const body = /-d '(.*)'/.exec((await page.locator('#empty').textContent()) ?? '')![1]!
    const headers = { authorization: adminToken, 'SVC-API-Version': 'beta', 'content-type': 'application/json' }
    const url = `${servedConsole.origin}/api/v2/engineering-insights/deployment-events`
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201)
  })

  it('contain the date of the latest deployment when the range has no deployment', async () => {
    await servedConsole.api.createProject({ body: { key: 'quiet', name: 'Quiet' } })
    await servedConsole.api.createLeadTimeSamples({
      body: {
        projectKey: 'quiet',
        environmentKey: 'production',
        samples: [
          {
            externalId: 'a',
            applicationKey: 'old',
            startedAt: Date.UTC(2025, 0, 1),
            mergedAt: Date.UTC(2025, 0, 2),
            deployedAt: Date.UTC(2025, 0, 3),
          },
        ],
      },
    })
    await servedConsole.api.createDeploymentEvent({
      body: {
        projectKey: 'quiet',
        environmentKey: 'production',
        applicationKey: 'old',
        version: '1',
        eventType: 'finished',
        eventTime: Date.UTC(2025, 0, 3),
      },
    })
    await openConsole('?project=quiet')
    expect(await page.locator('#empty').textContent()).toContain('The latest deployment was on January 3, 2025.')
    await page.locator('#empty button').click()
    await waitUntilShown()
    expect(await tableOf('#lead-time')).toEqual([
      ['From (UTC)', 'old'],
      ['2025-01-03T00:00:00.000Z', '48'],
    ])
  })

  it('explain that a token is no longer accepted, and request another', async () => {
    const createdToken = await servedConsole.api.createToken({ body: { name: 'brief', role: 'reader' } })
    await openConsole('?project=shop', createdToken.token)
    await waitUntilShown()
    await servedConsole.api.deleteToken({ id: createdToken._id })
    await page.locator('#range').selectOption('7')
    await page.locator('#sign-in-reason', { hasText: 'has expired' }).waitFor()
    expect(await page.locator('#insights').isVisible()).toBe(false)
    expect(await page.evaluate(() => sessionStorage.getItem('halyard-token'))).toBe(null)
    await page.keyboard.type(adminToken)
    await page.keyboard.press('Enter')
    await waitUntilShown()
    expect(await page.locator('#range').inputValue()).toBe('7')
  })

  it('contain the error of the API for a range with too many buckets', async () => {
    await openConsole('?project=shop&range=90&bucket=hour')
    expect(await page.locator('.failure').textContent()).toContain('at most 2000 hours before `to`')
    await page.locator('#bucket').selectOption('day')
    await waitUntilShown()
  })

  it('explain that a project does not exist, and another can be selected', async () => {
    await openConsole('?project=nowhere')
    expect(await page.locator('.failure').textContent()).toContain('There is no project "nowhere"')
    await page.locator('#project').selectOption('shop')
    await waitUntilShown()
  })
})

describe('the token in the console page', () => {
  it('is stored in the tab only, sent in a header, and never part of a URL', async () => {
    const requests: { url: string; token: string | undefined }[] = []
    page.on('request', (request) => requests.push({ url: request.url(), token: request.headers().authorization }))
    await page.goto(`${servedConsole.origin}/insights?project=shop`)
    await page.locator('#token').fill(adminToken)
    const beforeSignIn = requests.splice(0)
    expect(beforeSignIn.map(({ token }) => token)).not.toContain(adminToken)
    await page.keyboard.press('Enter')
    await waitUntilShown()
    const calls = requests.filter(({ url }) => url.includes('/api/v2/'))
    expect(calls.length).toBeGreaterThan(4)
    for (const { url, token } of calls) {
      expect(token).toBe(adminToken)
      expect(url).not.toContain(adminToken)
    }
    expect(await page.evaluate(() => [localStorage.length, document.cookie, location.href.length < 200])).toEqual([
      0,
      '',
      true,
    ])
    await page.locator('#forget').click()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(await page.locator('#insights').isVisible()).toBe(false)
  })
})

describe('the URL of the console page', () => {
  it('contains the view, so that another tab shows the same and the back button works', async () => {
    await openConsole('?project=shop')
    await page.locator('#measure').selectOption('p75')
    await waitUntilShown()
    await page.locator('#application').selectOption('mail')
    await page.waitForURL(/application=mail/)
    await page.locator('#lead-time .chart[aria-label*="of mail."]').waitFor()
    const address = page.url()
    await page.goBack()
    await page.locator('#lead-time .chart[aria-label*="search."]').waitFor()
    await page.goto(address)
    await page.locator('#lead-time .chart[aria-label*="of mail."]').waitFor()
    expect(await page.locator('#measure').inputValue()).toBe('p75')
  })
})
