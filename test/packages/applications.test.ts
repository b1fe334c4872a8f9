import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followReport } from '../../packages/cli/test/first-flag.ts'
import { newApplications, writeNewApplication } from '../../packages/cli/test/new-applications.ts'
import { openBrowser } from '../../packages/console/test/chromium.ts'
import { driveApplication, readReadme } from '../frameworks/drive-application.ts'
import { startShell } from '../frameworks/shell.ts'
import { useConsole } from '../homes/test-console.ts'
import { root } from '../root.ts'
import { longTests } from '../setup/long-tests.ts'
import { type PackageRegistry, serveRegistry } from './package-registry.ts'
import { packPackages } from './packed-packages.ts'

type NewApplicationName = keyof typeof newApplications

const applications = ['fastify', 'hono', 'nest', 'next', 'nuxt', 'react-router', 'sveltekit'] as const

/** Applications whose pages run in a browser and read flags from their server. */
const pages = ['angular', 'react'] as const

const newNames = Object.keys(newApplications) as NewApplicationName[]

// Packs all packages, and installs and builds applications, which takes minutes.
describe.runIf(longTests)('applications that install the packages', { timeout: 600_000 }, () => {
  let folder: string
  let registry: PackageRegistry
  let env: Readonly<Record<string, string>>

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'halyard-applications-'))
    registry = await serveRegistry(await packPackages(path.join(folder, 'tarballs')))
    env = {
      // With this setting, npx installs the command without asking.
      npm_config_yes: 'true',
      npm_config_cache: path.join(folder, 'cache'),
      npm_config_update_notifier: 'false',
      NEXT_TELEMETRY_DISABLED: '1',
      NUXT_TELEMETRY_DISABLED: '1',
      XDG_CONFIG_HOME: path.join(folder, 'config'),
    }
  }, 1_800_000)
  afterAll(() => {
    registry?.close()
    rmSync(folder, { recursive: true, force: true })
  }, 300_000)

  /** Returns the folder of an application, which finds the packages in the registry of this run. */
  function writeApplication(name: string, write: (target: string) => void): string {
    const target = path.join(folder, name)
    write(target)
    writeFileSync(path.join(target, '.npmrc'), registry.npmrc)
    return target
  }

  /** Runs commands in a folder, and resolves with what they print. */
  const runIn = (cwd: string) => async (commands: string) => {
    const shell = startShell(commands, { cwd, env })
    const code = await shell.ended
    if (code !== 0) throw new Error(`${commands}\nended with ${code}:\n${shell.output()}`)
    return shell.output()
  }

  /** Installs an example and checks its types, because some frameworks do not check types when they build. */
  async function installExample(name: string) {
    const example = path.join(root, 'docs/examples/homes', name)
    const application = writeApplication(name, (target) => cpSync(example, target, { recursive: true }))
    const run = runIn(application)
    await run(readReadme(application).install)
    await run('npm run check --if-present')
    return { application, run }
  }

  it.each(applications)('the application of %s shows what its README says', async (name) => {
    const { application, run } = await installExample(name)
    const afterwards = (url: string) => (name === 'next' ? useConsole(`${url}/flags`) : Promise.resolve())
    await driveApplication(application, { env, run, afterwards })
  })

  it.each(pages)('the page of %s changes while it is open, as its README says', async (name) => {
    const { application, run } = await installExample(name)
    const browser = await openBrowser()
    try {
      const page = await browser.context.newPage()
      const headingAt = async (url: string) => {
        if (!page.url().startsWith(url)) await page.goto(url)
        return (await page.locator('h1').textContent()) ?? ''
      }
      await driveApplication(application, { env, run, headingAt })
    } finally {
      await browser.close()
    }
  })

  it.each(newNames)('init adds an engine to a new application of %s, whose flag is turned on', async (name) => {
    const application = writeApplication(`new-${name}`, (target) => writeNewApplication(name, target))
    const run = runIn(application)
    await run('npm install --no-audit --no-fund')
    const start = performance.now()
    const report = await run('npx @halyard/cli init')
    const printed = await followReport(report, run, { cwd: application, env })
    expect(printed).toMatch(/^true \(FALLTHROUGH\)$/m)
    console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s from init to a flag that is on`)
  })
})
