import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { createTestEngine } from '@halyard/testing'
import { createExpressHandler, createExpressSdk } from '@halyard/transport-express'
import { beforeAll, describe, expect, it } from 'vitest'
import { halyardFile } from '../../../test/processes/served-engine.ts'
import { bundledCommand } from '../../../test/setup/bundled-program.ts'
import '../src/operations/run-group.ts'
import { runCli } from '../src/run-cli.ts'
import { capturedTerminal } from './captured-terminal.ts'
import { temporaryFolder } from './halyard-process.ts'

let env: Record<string, string>
let engine: Awaited<ReturnType<typeof createTestEngine>>

beforeAll(async () => {
  engine = await createTestEngine()
  await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as: engine.admin })
  await engine.api.createFlag(
    { projectKey: 'web', body: { key: 'checkout', name: 'Check\u001B[2Jout' } },
    { as: engine.admin },
  )
  const [sdk, api] = [createExpressSdk(engine), createExpressHandler(engine)]
  const server = createServer((req, res) => sdk(req, res, () => api(req, res)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  env = { HALYARD_URL: url, HALYARD_TOKEN: engine.admin, HALYARD_PROJECT: 'web', XDG_CONFIG_HOME: '/nonexistent' }
  return async () => {
    server.close().closeAllConnections()
    await engine.close()
  }
})

async function run(args: readonly string[], overrides: Record<string, string | undefined> = {}, stdin = '') {
  const { terminal, out, err } = capturedTerminal(stdin)
  const code = await runCli(args, { ...terminal, env: { ...env, ...overrides } })
  return { code, out: out(), err: err() }
}

const isOn = async () =>
  (await engine.api.getFlag({ projectKey: 'web', flagKey: 'checkout' }, { as: engine.admin })).environments?.production
    ?.on

describe('the option --at of commands that read', () => {
  it('returns the state at that time from a server', async () => {
    const time = new Date(engine.now()).toISOString()
    engine.advance(1_000)
    await engine.api.createTeam({ body: { key: 'later', name: 'Later' } }, { as: engine.admin })
    const list = ['teams', 'list', '--output', 'json']
    expect((await run(list)).out).toContain('"later"')
    const then = await run([...list, '--at', time])
    expect([then.code, then.out.includes('"later"')]).toEqual([0, false])
    const { code, err } = await run([...list, '--at', 'yesterday'])
    expect([code, err.includes('Halyard-At must be a time')]).toEqual([1, true])
    await engine.api.deleteTeam({ teamKey: 'later' }, { as: engine.admin })
  })
})

describe('the commands of flags', () => {
  it('toggle changes an environment, and a dry run changes nothing', async () => {
    const line = ['flags', 'toggle', 'checkout', '--environment', 'production', '--on']
    expect(await run([...line, '--dry-run'])).toEqual({ code: 0, out: 'checkout would be on in production\n', err: '' })
    expect(await isOn()).toBe(false)
    expect(await run(line)).toEqual({ code: 0, out: 'checkout is on in production\n', err: '' })
    expect(await isOn()).toBe(true)
    expect((await run(['flags', 'off', 'checkout', '--environment', 'production'])).code).toBe(0)
    expect(await isOn()).toBe(false)
  })

  it('target, serve and rollout name variations by their values', async () => {
    const place = ['--environment', 'test', '--output', 'json']
    const target = await run(['flags', 'target', 'checkout', 'true', '--keys', 'ann,bob', ...place])
    expect(JSON.parse(target.out).environments.test.targets[0].values).toEqual(['ann', 'bob'])
    const rollout = await run(['flags', 'rollout', 'checkout', '--weights', 'true=20,false=80', ...place])
    const { variations } = JSON.parse(rollout.out).environments.test.fallthrough.rollout
    expect(variations.map(({ weight }: { weight: number }) => weight)).toEqual([20_000, 80_000])
    expect(await run(['flags', 'serve', 'checkout', 'maybe', '--environment', 'test'])).toMatchObject({
      code: 2,
      err: 'halyard: checkout has no variation "maybe": true, false\n',
    })
  })

  it('a table of one resource does not truncate values, because no later response contains the URL of a trigger', async () => {
    const place = ['checkout', '--environment', 'test']
    const { code, out } = await run(['flag-triggers', 'create', ...place, '--integration-key', 'generic-trigger'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^triggerURL +\/webhook\/triggers\/[\w-]+\/[0-9a-f]{64}$/m)])
  })

  it('a table of one resource omits the links and rights that programs read', async () => {
    const { out } = await run(['flags', 'get', 'checkout'])
    expect(out).toMatch(/^key +checkout$/m)
    expect(out).not.toMatch(/^(_links|_access) /m)
  })

  it('a table contains no control characters from stored texts', async () => {
    const { out } = await run(['flags', 'list'])
    expect(out).toContain('Check\uFFFD[2Jout')
    expect(out).not.toContain('\u001B')
  })
})

describe('exit codes', () => {
  it.each([
    [['flags', 'get', 'unknown'], 1],
    [['flags', 'get'], 2],
    [['flags', 'list', '--unknown'], 2],
    [['flags', 'list', '--project='], 0],
    [['unknown'], 2],
    [['flags', 'create', '--key', 'checkout', '--name', 'Again'], 3],
    [['flags', 'list', '--url', 'http://127.0.0.1:1'], 4],
  ])('the command %j exits with code %i', { timeout: 60_000 }, async (args, code) => {
    expect((await run(args)).code).toBe(code)
  })

  it('a change that requires approval exits with code 3 and changes nothing', async () => {
    const as = engine.admin
    await engine.api.createEnvironment(
      { projectKey: 'web', body: { key: 'live', name: 'Live', color: '417505' } },
      { as },
    )
    const settings = { environmentKey: 'live', required: true }
    await engine.api.patchApprovalRequestSettings({ projectKey: 'web', body: settings }, { as })
    const result = await run(['flags', 'on', 'checkout', '--environment', 'live'])
    expect([result.code, result.err]).toEqual([
      3,
      'halyard: The environment live requires approval of this change: create an approval request\n',
    ])
  })
})

describe('profiles', () => {
  it('preset options, are readable by their owner only, and never print a token', async () => {
    const folder = temporaryFolder()
    const environment = {
      XDG_CONFIG_HOME: folder,
      HALYARD_URL: undefined,
      HALYARD_TOKEN: undefined,
      HALYARD_PROJECT: undefined,
    }
    const { HALYARD_URL: url = '', HALYARD_TOKEN: token = '' } = env
    await run(
      ['profile', 'set', 'live', '--url', url, '--token', token, '--project', 'web', '--output', 'json'],
      environment,
    )
    const file = path.join(folder, 'halyard', 'profiles.json')
    expect([statSync(file).mode & 0o777, JSON.parse(readFileSync(file, 'utf8')).current]).toEqual([0o600, 'live'])
    const list = await run(['profile', 'list'], environment)
    expect(list.out).toBe(`* live url=${url} token=(set) project=web output=json\n`)
    expect(JSON.parse((await run(['flags', 'list'], environment)).out).items[0].key).toBe('checkout')
    expect(await run(['flags', 'list', '--profile', 'other'], environment)).toMatchObject({ code: 2 })
  })

  it('apply their token and account only to the server or storage that they name', async () => {
    const folder = temporaryFolder()
    const unset = { HALYARD_URL: undefined, HALYARD_TOKEN: undefined }
    const environment = { XDG_CONFIG_HOME: folder, ...unset }
    const { HALYARD_URL: url = '', HALYARD_TOKEN: token = '' } = env
    await run(
      ['profile', 'set', 'live', '--url', 'https://live.example', '--token', token, '--account', 'a'],
      environment,
    )
    expect(await run(['flags', 'list', '--url', url], environment)).toMatchObject({ code: 1, out: '' })
    const storage = await run(['projects', 'list', '--storage', 'memory'], environment)
    expect(storage).toMatchObject({ code: 0, err: '' })
    await run(['profile', 'set', 'live', '--url', url], environment)
    expect(await run(['flags', 'list', '--url', url], environment)).toMatchObject({ code: 0 })
  })

  it('are listed without the password of a storage', async () => {
    const environment = { XDG_CONFIG_HOME: temporaryFolder() }
    const storages = ['postgres://ann:p@ss:w@db.example/flags', 'postgres://db.example/flags?user=ann&password=p@ss']
    for (const [index, storage] of storages.entries()) {
      await run(['profile', 'set', `p${index}`, '--storage', storage], environment)
    }
    expect((await run(['profile', 'list'], environment)).out).toBe(
      '* p0 storage=postgres://ann:***@db.example/flags\n' +
        '  p1 storage=postgres://db.example/flags?user=ann&password=***\n',
    )
  })

  it('are refused without showing the content of the file when it is invalid', async () => {
    const folder = temporaryFolder()
    mkdirSync(path.join(folder, 'halyard'))
    writeFileSync(path.join(folder, 'halyard', 'profiles.json'), '{"profiles":{"live":{"tokn":"api-secret"}}}')
    const { code, err } = await run(['flags', 'list'], { XDG_CONFIG_HOME: folder })
    expect([code, err]).toEqual([2, `halyard: ${folder}/halyard/profiles.json is not a valid file of profiles\n`])
  })
})

it('evaluate explains an evaluation that the server computed', async () => {
  const line = ['evaluate', 'checkout', '--environment', 'production', '--context', '-']
  const ann = JSON.stringify({ kind: 'user', key: 'ann' })
  expect((await run(line, {}, ann)).out).toBe('false (OFF)\n')
  expect((await run([...line, '--explain'], {}, ann)).out).toContain('flag checkout is off')
  expect(await run(['evaluate', 'nothing', ...line.slice(2)], {}, ann)).toMatchObject({
    code: 1,
    err: 'halyard: the environment has no flag "nothing"\n',
  })
})

describe('completion', () => {
  it.each([
    [[], 'flags'],
    [['flags'], 'toggle'],
    [['flags', 'list'], '--filter'],
    [['profile'], 'set'],
    [['serve'], '--port'],
  ])('offers %s after %j', async (words, expected) => {
    expect((await run(['complete', '--', ...words])).out.split('\n')).toContain(expected)
  })

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
    expect((await run(['completion', shell])).out).toContain('halyard complete')
  })

  it('completes commands and options in bash', async () => {
    const folder = temporaryFolder()
    writeFileSync(path.join(folder, 'halyard'), `#!/bin/sh\nexec ${bundledCommand(halyardFile)} "$@"\n`, {
      mode: 0o755,
    })
    const script = `source <(halyard completion bash)
      complete_line() { COMP_WORDS=(halyard "$@"); COMP_CWORD=$#; _halyard; echo "\${COMPREPLY[@]}"; }
      complete_line flags tog
      complete_line flags list --fil`
    const env = { PATH: `${folder}:${process.env.PATH}` }
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
    expect(stdout).toBe('toggle\n--filter\n')
  })
})

it('--version prints the version of the package', async () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(await run(['--version'])).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' })
})
