import { describe, expect, it } from 'vitest'
import { openPageForEachTest, page, servedConsole } from './page-in-browser.ts'

openPageForEachTest()

let count = 0

async function invite() {
  const body = [{ email: `person${++count}@example.com`, role: 'reader' as const }]
  const { items } = await servedConsole.api.createMembers({ body })
  return items[0] as (typeof items)[number]
}

async function accept(href: string): Promise<void> {
  await page.goto(`${servedConsole.origin}${href}`)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
}

describe('the invitation page', () => {
  it('shows the first token of the member, which is valid, and removes the code from the address', async () => {
    const { _id, _invitation } = await invite()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await accept(_invitation.href)
    await page.locator('#token:not(:empty)').waitFor()
    const token = await page.locator('#token').textContent()
    const response = await fetch(`${servedConsole.origin}/api/v2/members`, { headers: { authorization: token ?? '' } })
    expect(response.status).toBe(200)
    expect(page.url()).toBe(`${servedConsole.origin}/invitation`)
    expect(sent.join(' ')).toContain(`/api/v2/members/${_id}/invitation/accept`)
    // The URL of a request of the browser has the fragment, which the browser does not send.
    expect(sent.filter((url) => !url.includes('#')).join(' ')).not.toContain(_invitation.code)
    expect(await page.locator('#invitation').isVisible()).toBe(false)
  })

  it('explains what to do when a link was used, is incomplete, or is missing', async () => {
    const { _invitation } = await invite()
    await accept(_invitation.href)
    await page.locator('#token:not(:empty)').waitFor()
    for (const href of [_invitation.href, _invitation.href.slice(0, -1), '/invitation#x', '/invitation']) {
      await page.goto('about:blank')
      await accept(href)
      await page.locator('#failure p', { hasText: 'Ask for a new invitation.' }).waitFor()
      expect(await page.locator('#accepted').isVisible()).toBe(false)
    }
  })
})
