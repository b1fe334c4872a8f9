import { parseArgs } from 'node:util'
import { usageError } from './cli-error.ts'

/** One option of a command: `--name`, and the environment variable that sets it. */
export interface OptionDeclaration {
  readonly type: 'string' | 'boolean'
  readonly env?: string
  /** The default, or the function that returns it. */
  readonly preset?: string | (() => string)
  readonly help: string
}

export type Environment = Readonly<Record<string, string | undefined>>

export interface ReadOptions<Name extends string> {
  readonly values: Readonly<Record<Name, string | undefined>>
  readonly positionals: readonly string[]
}

/**
 * Reads a command's options. The command line takes precedence over the environment, and the environment over the
 * default. A boolean option is `on` or undefined; in the environment `on`, `1` and `true` switch it on.
 *
 * @throws CliError naming an option that is unknown or has no value.
 */
export function readOptions<Name extends string>(
  declared: Readonly<Record<Name, OptionDeclaration>>,
  args: readonly string[],
  env: Environment,
): ReadOptions<Name> {
  const { fromArguments, positionals } = parseArguments(declared, args)
  const values: Record<string, string | undefined> = {}
  for (const [name, { type, env: variable, preset }] of Object.entries<OptionDeclaration>(declared)) {
    const fromEnvironment = variable === undefined || env[variable] === '' ? undefined : env[variable]
    const value = fromArguments[name] ?? fromEnvironment ?? presetOf(preset)
    values[name] = type === 'boolean' ? toSwitch(value) : value?.toString()
  }
  return { values: values as Record<Name, string | undefined>, positionals }
}

function presetOf(preset: OptionDeclaration['preset']): string | undefined {
  return typeof preset === 'function' ? preset() : preset
}

type GivenValue = string | boolean

function parseArguments(declared: Readonly<Record<string, OptionDeclaration>>, args: readonly string[]) {
  const switches = Object.keys(declared).filter((name) => declared[name]?.type === 'boolean')
  const negated = new Map(switches.map((name) => [`no-${name}`, name]))
  const options = {
    ...Object.fromEntries(Object.entries(declared).map(([name, { type }]) => [name, { type }])),
    ...Object.fromEntries([...negated.keys()].map((name) => [name, { type: 'boolean' as const }])),
  }
  // Does not use the option `strict`, because its messages are several sentences, and it refuses values that begin with
  // a hyphen.
  const { tokens, positionals } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const fromArguments: Record<string, GivenValue> = {}
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const type = options[name]?.type
    if (type === undefined) throw usageError(`unknown option '${rawName}'`)
    if (type === 'string' && value === undefined) throw usageError(`option '${rawName} <value>' argument missing`)
    if (type === 'boolean' && value !== undefined) throw usageError(`option '${rawName}' takes no value`)
    fromArguments[negated.get(name) ?? name] = value ?? !negated.has(name)
  }
  return { fromArguments, positionals }
}

function toSwitch(value: string | boolean | undefined): 'on' | undefined {
  return value === true || (typeof value === 'string' && /^(on|1|true|yes)$/i.test(value)) ? 'on' : undefined
}

/** Returns the options of a command as lines of help. */
export function describeOptions(declared: Readonly<Record<string, OptionDeclaration>>): string[] {
  return Object.entries(declared).map(([name, { env, preset, help }]) => {
    const notes = [env && `or ${env}`, preset && `default ${presetOf(preset)}`].filter(Boolean).join('; ')
    return `  --${name.padEnd(14)} ${help}${notes ? ` (${notes})` : ''}`
  })
}
