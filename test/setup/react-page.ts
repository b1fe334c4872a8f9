import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestEngine } from '@halyard/testing'
import { createExpressSdk } from '@halyard/transport-express'
import { openBrowser } from '../../packages/console/test/chromium.ts'
import { bundleModules } from '../homes/bundle-modules.ts'

const environment = { projectKey: 'shop', environmentKey: 'production' }

/** A page in Chromium that shows the flag `checkout` as its heading. */
export interface ReactPage {
  /** Paths of the requests for flags: the first part of each. */
  readonly requests: readonly string[]
  /** Turns the flag on or off. */
  turn(on: boolean): Promise<void>
  /** Waits until the page has a heading with exactly this text. */
  heading(text: string): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a page of React components in Chromium, with an engine on memory behind it.
 *
 * @param file path of the page's module, from the root of the repository. The module finds the id of its environment in
 *   the attribute `data-environment-id` of the body.
 */
export async function openReactPage(file: string): Promise<ReactPage> {
  const engine = await createTestEngine()
  await engine.given.project('shop')
  const clientSideAvailability = { usingEnvironmentId: true, usingMobileKey: false }
  await engine.given.flag('shop', 'checkout', { clientSideAvailability })
  const { _id: id } = await engine.api.getEnvironment(environment, { as: engine.admin })
  const bundles = await bundleModules({ page: file }, { jsx: 'automatic', platform: 'browser' })
  const script = readFileSync(bundles.fileOf('page'))
  const sdk = createExpressSdk(engine)
  const requests: string[] = []
  const server = createServer((req, res) => {
    const [, folder = ''] = req.url?.split('/') ?? []
    if (['eval', 'sdk', 'ofrep'].includes(folder)) requests.push(folder)
    if (req.url === '/page.mjs') return void res.setHeader('content-type', 'text/javascript').end(script)
    if (req.url !== '/') return sdk(req, res)
    const html = `<!doctype html><body data-environment-id="${id}"><script type="module" src="/page.mjs"></script>`
    res.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await openBrowser()
  const page = await browser.context.newPage()
  const { port } = server.address() as AddressInfo
  await page.goto(`http://127.0.0.1:${port}/`)
  return {
    requests,
    async turn(on) {
      const instructions = [{ kind: on ? 'turnFlagOn' : 'turnFlagOff' }]
      await engine.api.patchFlag(
        // Cast: the type of the body describes JSON patches only.
        { projectKey: 'shop', flagKey: 'checkout', body: { environmentKey: 'production', instructions } as never },
        { as: engine.admin },
      )
    },
    heading: (text) => page.locator('h1', { hasText: new RegExp(`^${text}$`) }).waitFor(),
    async close() {
      await browser.close()
      server.closeAllConnections()
      server.close()
      bundles.remove()
      await engine.close()
    },
  }
}
