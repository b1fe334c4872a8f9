import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type CliError, usageError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import type { OperationArguments, OperationOption, ValueType } from './operation-options.ts'

/** Values of a command line: texts of options by name, without dashes. */
export type TypedOptions = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** The project and the environment, from an option, an environment variable or a profile. */
export interface ProjectAndEnvironment {
  readonly project?: string | undefined
  readonly environment?: string | undefined
}

/** Arguments and options of a command, as the user typed them. */
export interface TypedArguments {
  readonly positionals: readonly string[]
  readonly options: TypedOptions
}

/**
 * Returns the input of the call that a command line describes.
 *
 * @throws CliError naming the option that is missing or has an invalid value.
 */
export async function operationInputOf(
  declared: OperationArguments,
  { positionals, options: typedOptions }: TypedArguments,
  settings: ProjectAndEnvironment,
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  const input: Record<string, unknown> = {}
  for (const [index, { name }] of declared.positionals.entries()) input[name] = positionals[index]
  for (const option of declared.options.filter((each) => each.in !== 'body')) {
    const value =
      option.in === 'path' ? settings[option.flag as keyof ProjectAndEnvironment] : typedOptions[option.flag]
    // The text of a query parameter is sent unchanged, because the server parses it.
    if (value !== undefined) input[option.name] = value
    else if (option.in === 'path') throw missingSetting(option.flag)
  }
  if (typedOptions['dry-run'] === true) input.dryRun = true
  const body = await bodyOf(declared, typedOptions, terminal)
  return body === undefined ? input : { ...input, body }
}

/** Makes the error of a command without its project or environment. */
export function missingSetting(name: string): CliError {
  const variable = `HALYARD_${name.toUpperCase()}`
  return usageError(`the ${name} is missing: pass --${name}, set ${variable}, or use a profile that contains it`)
}

async function bodyOf(
  { options, body }: OperationArguments,
  typedOptions: TypedOptions,
  terminal: Terminal,
): Promise<unknown> {
  const properties: Record<string, unknown> = {}
  for (const option of options.filter((each) => each.in === 'body')) {
    const value = typedOptions[option.flag]
    if (value !== undefined) properties[option.name] = convertedValue(option, value)
  }
  if (!body) return undefined
  if (body.kind === 'upload') {
    const { file } = typedOptions
    if (typeof file !== 'string')
      throw usageError('--file is missing: pass the path of the file to send, or - for standard input')
    return { ...properties, file: file === '-' ? terminal.stdin : createReadStream(file) }
  }
  const base = typeof typedOptions.body === 'string' ? await jsonOf('--body', typedOptions.body, terminal) : undefined
  const assigned = Object.entries(assignmentsOf(typedOptions.set))
  if (body.kind === 'patch') return patchOf(base, properties, assigned)
  if (assigned.length === 0 && Object.keys(properties).length === 0) return base ?? {}
  if (base !== undefined && !isObject(base))
    throw usageError('--body must be a JSON object when options set properties')
  return { ...base, ...properties, ...Object.fromEntries(assigned) }
}

/** Returns a patch: each `--set name=value` replaces a property, unless the body is a semantic patch. */
function patchOf(base: unknown, properties: object, assigned: readonly (readonly [string, unknown])[]): unknown {
  const operations = assigned.map(([name, value]) => ({ op: 'replace', path: pointerOf(name), value }))
  if (operations.length === 0) {
    if (Array.isArray(base) && Object.keys(properties).length > 0) return { ...properties, patch: base }
    return isObject(base) || base === undefined ? { ...(base ?? {}), ...properties } : base
  }
  if (base !== undefined) throw usageError('--set and --body cannot be combined for a patch')
  return { ...properties, patch: operations }
}

const pointerOf = (name: string) => (name.startsWith('/') ? name : `/${name}`)

function assignmentsOf(typedValue: TypedOptions[string]): Record<string, unknown> {
  const list = Array.isArray(typedValue) ? (typedValue as readonly string[]) : []
  return Object.fromEntries(
    list.map((assignment) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(assignment) ?? []
      if (name === undefined || value === undefined) throw usageError(`--set must be name=value, not "${assignment}"`)
      return [name, jsonOrText(value)]
    }),
  )
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function convertedValue({ flag, type }: OperationOption, typedValue: NonNullable<TypedOptions[string]>): unknown {
  if (typeof typedValue !== 'string') return typedValue
  return converters[type](typedValue, flag)
}

const converters: Readonly<Record<ValueType, (text: string, flag: string) => unknown>> = {
  string: (value) => value,
  list: (value) => (value === '' ? [] : value.split(',')),
  boolean: (value, flag) => {
    if (value !== 'true' && value !== 'false') throw usageError(`--${flag} must be true or false, not "${value}"`)
    return value === 'true'
  },
  number: (value, flag) => {
    if (value.trim() === '' || !Number.isFinite(Number(value))) {
      throw usageError(`--${flag} must be a number, not "${value}"`)
    }
    return Number(value)
  },
  json: (value, flag) => {
    try {
      return JSON.parse(value)
    } catch {
      throw usageError(`--${flag} must be JSON`)
    }
  },
}

/**
 * Reads a JSON file, or standard input for `-`.
 *
 * @throws CliError naming the option.
 */
export async function jsonOf(option: string, file: string, { stdin }: Terminal): Promise<unknown> {
  const content =
    file === '-' && stdin
      ? await text(stdin)
      : await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
          throw usageError(`${option}: cannot read ${file}: ${error.code}`, error)
        })
  try {
    return JSON.parse(content)
  } catch (error) {
    throw usageError(`${option}: ${file === '-' ? 'standard input' : file} is not JSON`, error)
  }
}

/** Writes a downloaded file to a path, or to standard output. */
export async function writeDownload(
  pieces: AsyncIterable<string | Uint8Array>,
  out: string | undefined,
  { stdout, signal }: Terminal,
): Promise<void> {
  if (out === undefined) await pipeline(pieces, stdout, { signal, end: false })
  else await pipeline(pieces, createWriteStream(out), { signal })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
