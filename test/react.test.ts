import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createTestEngine, type TestEngine } from '@halyard/testing'
import { createExpressSdk } from '@halyard/transport-express'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, openBrowser } from '../packages/console/test/chromium.ts'
import { type Bundles, bundleModules } from './homes/bundle-modules.ts'
import { root } from './root.ts'

const environment = { projectKey: 'shop', environmentKey: 'production' }

describe('the example of a React page', () => {
  let engine: TestEngine
  let bundles: Bundles
  let server: Server
  let browser: Browser
  let page: Page
  /** Paths of the requests for flags. */
  const requests: string[] = []

  const instruct = (...instructions: object[]) =>
    engine.api.patchFlag(
      { projectKey: 'shop', flagKey: 'checkout', body: { environmentKey: 'production', instructions } as never },
      { as: engine.admin },
    )
  const heading = (text: string) => page.locator('h1', { hasText: new RegExp(`^${text}$`) }).waitFor()

  beforeAll(async () => {
    engine = await createTestEngine()
    await engine.given.project('shop')
    const clientSideAvailability = { usingEnvironmentId: true, usingMobileKey: false }
    await engine.given.flag('shop', 'checkout', { clientSideAvailability })
    const { _id: id } = await engine.api.getEnvironment(environment, { as: engine.admin })
    bundles = await bundleModules({ page: 'docs/examples/react/page.tsx' }, { jsx: 'automatic', platform: 'browser' })
    const script = readFileSync(bundles.fileOf('page'))
    const sdk = createExpressSdk(engine)
    server = createServer((req, res) => {
      if (/^\/(eval|sdk)\//.test(req.url ?? '')) requests.push(String(req.url?.split('/')[1]))
      if (req.url === '/page.mjs') return void res.setHeader('content-type', 'text/javascript').end(script)
      if (req.url !== '/') return sdk(req, res)
      const html = `<!doctype html><body data-environment-id="${id}"><script type="module" src="/page.mjs"></script>`
      res.setHeader('content-type', 'text/html').end(html)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    browser = await openBrowser()
    page = await browser.context.newPage()
  })

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
    bundles?.remove()
    await engine?.close()
  })

  it('is the one that the guide shows', () => {
    const guide = readFileSync(path.join(root, 'docs/guide/openfeature.md'), 'utf8')
    const [, shown] = /^```tsx\n(.*?)^```/ms.exec(guide) ?? []
    expect(shown).toBe(readFileSync(path.join(root, 'docs/examples/react/page.tsx'), 'utf8'))
  })

  it('shows each change of the flag by its stream, without a further request', async () => {
    const { port } = server.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/`)
    await heading('Checkout')
    await expect.poll(() => requests).toEqual(['sdk', 'eval'])
    for (let i = 0; i < 3; i++) {
      await instruct({ kind: 'turnFlagOn' })
      await heading('New checkout')
      await instruct({ kind: 'turnFlagOff' })
      await heading('Checkout')
    }
    expect(requests).toEqual(['sdk', 'eval'])
  })
})
