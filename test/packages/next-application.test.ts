import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { driveApplication, readReadme } from '../frameworks/drive-application.ts'
import { inProcess } from '../frameworks/run-commands.ts'
import { useConsole } from '../homes/test-console.ts'
import { root } from '../root.ts'
import { longTests } from '../setup/long-tests.ts'
import { packPackages, runProgram } from './packed-packages.ts'

// Packs all packages, and installs and builds Next, which takes minutes.
describe.runIf(longTests)('the application of next', () => {
  it('shows what its README says, after the commands of its README, and the console', {
    timeout: 1_800_000,
  }, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'halyard-next-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const application = path.join(folder, 'application')
    cpSync(path.join(root, 'docs/examples/homes/next'), application, { recursive: true })
    dependOn(await packPackages(path.join(folder, 'tarballs')), application)
    const { ok, text } = await runProgram('sh', ['-e', '-c', readReadme(application).install], application)
    expect(ok, text).toBe(true)
    const env = { NEXT_TELEMETRY_DISABLED: '1' }
    await driveApplication(application, { env, run: inProcess, afterwards: (url) => useConsole(`${url}/flags`) })
  })
})

/** Replaces the packages of the registry that an application depends on by tarballs. */
function dependOn(tarballs: ReadonlyMap<string, string>, application: string): void {
  const file = path.join(application, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const packed = Object.fromEntries([...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]))
  const direct = Object.keys(manifest.dependencies).filter((name) => name in packed)
  const dependencies = { ...manifest.dependencies, ...Object.fromEntries(direct.map((name) => [name, packed[name]])) }
  const overrides = { ...packed, ...Object.fromEntries(direct.map((name) => [name, `$${name}`])) }
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies, overrides }, undefined, 2))
}
