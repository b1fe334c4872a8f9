import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'

const executablePaths = [
  process.env.HALYARD_CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Maximum time of an action in the browser, ms: longer than the busiest machine needs. Tests have limits of their own.
 */
const actionTimeoutMs = 110_000

export interface Browser {
  readonly context: BrowserContext
  close(): Promise<void>
}

/**
 * Starts a browser with a new, empty profile.
 * @throws Error that explains how to install a browser when no browser is installed.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = executablePaths.find((executable) => executable && existsSync(executable))
  if (!executablePath) {
    throw new Error(
      'The tests of the page need Chromium: install it with "apt-get install -y chromium", or set HALYARD_CHROMIUM to its path',
    )
  }
  const profile = mkdtempSync(path.join(tmpdir(), 'halyard-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: flags,
    locale: 'en-US',
  })
  context.setDefaultTimeout(actionTimeoutMs)
  return {
    context,
    async close() {
      await context.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
