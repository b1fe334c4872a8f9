import { Command } from 'commander'
import { usageError } from './cli-error.ts'

/** One option of a command: `--name`, and the environment variable that sets it. */
export interface OptionDeclaration {
  readonly type: 'string' | 'boolean'
  readonly env?: string
  readonly preset?: string
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
    const value = fromArguments[name] ?? fromEnvironment ?? preset
    values[name] = type === 'boolean' ? toSwitch(value) : value?.toString()
  }
  return { values: values as Record<Name, string | undefined>, positionals }
}

function parseArguments(declared: Readonly<Record<string, OptionDeclaration>>, args: readonly string[]) {
  const parser = new Command().argument('[values...]').helpOption(false).exitOverride()
  parser.configureOutput({ writeOut: () => {}, writeErr: () => {} })
  for (const [name, { type }] of Object.entries(declared)) {
    if (type === 'string') parser.option(`--${name} <value>`)
    else parser.option(`--${name}`).option(`--no-${name}`)
  }
  try {
    parser.parse([...args], { from: 'user' })
  } catch (error) {
    throw usageError((error as Error).message.replace(/^error: /, '').split('\n')[0] as string, error)
  }
  const values = parser.options.map((option) => [
    option.long?.replace(/^--(no-)?/, '') ?? '',
    parser.getOptionValue(option.attributeName()) as string | boolean | undefined,
  ])
  return {
    fromArguments: Object.fromEntries(values) as Readonly<Record<string, string | boolean | undefined>>,
    positionals: parser.args,
  }
}

function toSwitch(value: string | boolean | undefined): 'on' | undefined {
  return value === true || (typeof value === 'string' && /^(on|1|true|yes)$/i.test(value)) ? 'on' : undefined
}

/** Returns the options of a command as lines of help. */
export function describeOptions(declared: Readonly<Record<string, OptionDeclaration>>): string[] {
  return Object.entries(declared).map(([name, { env, preset, help }]) => {
    const notes = [env && `or ${env}`, preset && `default ${preset}`].filter(Boolean).join('; ')
    return `  --${name.padEnd(14)} ${help}${notes ? ` (${notes})` : ''}`
  })
}
