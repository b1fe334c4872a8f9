import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordExamples } from '@halyard/conformance'
import type { Api, Engine } from '@halyard/core'
import { resources } from '@halyard/core/operations'
import { createExpressHandler } from '@halyard/transport-express'
import { expect, it, onTestFinished } from 'vitest'
import { apiHarness } from '../../conformance/src/transport/api-harness.ts'
import { commandGroups, kebabCase, type OperationCommand } from '../src/operations/command-name.ts'
import { argumentsOf } from '../src/operations/operation-options.ts'
import { runCli } from '../src/run-cli.ts'
import { capturedTerminal } from './captured-terminal.ts'

const commands = [...commandGroups().values()].flatMap((group) => group.commands)
const commandOf = new Map(commands.map((command) => [command.operation.id, command]))

/** Serves an engine until the test ends. */
async function serve(engine: Engine): Promise<string> {
  const server = createServer(createExpressHandler(engine))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Input = Readonly<Record<string, unknown>>

/** Counts the bodies that were sent as options and as a file. */
const sent = { asOptions: 0, asFile: 0 }

/** Returns the command line of a call. */
function commandLine(command: OperationCommand, { body, ...parameters }: Input) {
  const { positionals, options } = argumentsOf(command)
  const names = new Set(positionals.map(({ name }) => name))
  const flagOf = new Map(options.filter((option) => option.in !== 'body').map(({ name, flag }) => [name, flag]))
  const args = Object.entries(parameters).filter(([name]) => !names.has(name))
  const properties = Object.entries((body ?? {}) as object)
  const bodyOption = new Map(options.filter((option) => option.in === 'body').map((option) => [option.name, option]))
  const { operation } = command
  const isText = (value: unknown): value is string => typeof value === 'string' && !value.startsWith('-')
  const isPlain =
    operation.body?.kind === 'json' &&
    !Array.isArray(body) &&
    properties.every(([name, value]) => bodyOption.has(name) && (isText(value) || typeof value === 'number'))
  const isUpload = operation.body?.kind === 'upload'
  if (isPlain) sent.asOptions++
  else if (body !== undefined) sent.asFile++
  const fields = isPlain || isUpload ? properties.filter(([name]) => name !== 'file') : []
  return {
    args: [
      ...[command.group, command.name],
      ...args.flatMap(([name, value]) => optionWith(flagOf.get(name) ?? kebabCase(name), value)),
      ...fields.flatMap(([name, value]) => optionWith(bodyOption.get(name)?.flag ?? name, value)),
      ...(isUpload ? ['--file', '-'] : body === undefined || isPlain ? [] : ['--body', '-']),
      '--',
      ...positionals.map(({ name }) => String(parameters[name])),
    ],
    stdin: isUpload ? String((body as Input).file) : JSON.stringify(body),
  }
}

function optionWith(flag: string, value: unknown): string[] {
  return value === true ? [`--${flag}`] : [value === false ? `--no-${flag}` : `--${flag}=${value}`]
}

/** Calls each operation with its command, against a server. */
function commandApi(engine: Engine): Api {
  const address = serve(engine)
  const call = async (id: string, input: Input, options: { readonly as?: string; readonly ifMatch?: string }) => {
    const command = commandOf.get(id)
    if (!command) throw new Error(`no command calls ${id}`)
    const { args, stdin } = commandLine(command, input)
    const { terminal, out, err } = capturedTerminal(stdin)
    const ifMatch = options.ifMatch === undefined ? [] : [`--if-match=${options.ifMatch}`]
    const isFile = command.operation.success.mediaType !== undefined
    const code = await runCli([...args.slice(0, 2), '--output', 'json', ...ifMatch, ...args.slice(2)], {
      ...terminal,
      env: { HALYARD_URL: await address, HALYARD_TOKEN: options.as, XDG_CONFIG_HOME: '/nonexistent' },
    })
    const printed = out()
    if (code === 0) return isFile ? [printed] : printed === '' ? undefined : JSON.parse(printed)
    const status = code === 3 ? 409 : 400
    throw Object.assign(new Error(), {
      name: 'ApiError',
      status,
      headers: {},
      body: { message: `${args}: ${err()}` },
    })
  }
  // Cast: the operation is found at run time.
  return new Proxy({} as Api, { get: (_, id: string) => (input: Input, options: object) => call(id, input, options) })
}

/** Sorts the parameters in the links of a response, because the options of a command line have no order. */
function withSortedQueries(response: unknown): unknown {
  if (response === undefined) return undefined
  return JSON.parse(JSON.stringify(response), (name, value: unknown) => {
    if (name !== 'href' || typeof value !== 'string') return value
    const [path, query = ''] = value.split('?')
    return `${path}?${query.split('&').sort().join('&')}`
  })
}

it('every operation has a command of its own', () => {
  expect([...commandOf.keys()].sort()).toEqual(
    resources.flatMap(({ operations }) => operations.map(({ id }) => id)).sort(),
  )
  const lines = commands.map(({ group, name }) => `${group} ${name}`)
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([])
})

it('no two options of an operation have the same name', () => {
  for (const command of commands) {
    const { options } = argumentsOf(command)
    const flags = options.map(({ flag }) => flag)
    expect([command.operation.id, flags.filter((flag, index) => flags.indexOf(flag) !== index)]).toEqual([
      command.operation.id,
      [],
    ])
  }
})

it('the command of every operation prints what the call in process returns', { timeout: 300_000 }, async () => {
  const [expected, printed] = [await recordExamples(), await recordExamples(apiHarness('cli', commandApi))]
  const comparable = (examples: typeof expected) =>
    Object.fromEntries(
      Object.entries(examples).map(([id, { response, supportsIfMatch }]) => [
        id,
        { response: withSortedQueries(response), supportsIfMatch },
      ]),
    )
  expect(comparable(printed)).toEqual(comparable(expected))
  expect(sent.asOptions).toBeGreaterThan(40)
  expect(sent.asFile).toBeGreaterThan(100)
})
