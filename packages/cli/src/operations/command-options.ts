import { type Command as CommanderCommand, Option } from 'commander'
import type { TypedOptions } from './operation-call.ts'
import { type OutputFormat, outputFormats } from './printed-value.ts'

/** Adds the options that every command of an operation has. */
export function addConnectionOptions(command: CommanderCommand): void {
  command
    .addOption(new Option('--output <format>', 'format of the response; default: table').choices(outputFormats))
    .option('--profile <name>', 'profile with presets; or HALYARD_PROFILE')
    .option('--url <url>', 'address of a server; or HALYARD_URL')
    .option('--token <token>', 'access token; or HALYARD_TOKEN')
    .option('--storage <storage>', 'storage to open in this process instead; or HALYARD_STORAGE')
    .option('--account <account>', 'account of the storage; or HALYARD_ACCOUNT')
}

/** Returns the options of a command by their names on the command line. */
export function optionsOf(command: CommanderCommand): TypedOptions {
  const entries = command.options.map((option) => [
    option.long?.replace(/^--(no-)?/, '') ?? '',
    command.getOptionValue(option.attributeName()) as TypedOptions[string],
  ])
  return Object.fromEntries(entries)
}

/** Returns the options that name the API, the project and the environment. */
export function connectionOptionsOf(typedOptions: TypedOptions) {
  const text = (name: string) => (typeof typedOptions[name] === 'string' ? (typedOptions[name] as string) : undefined)
  return {
    profile: text('profile'),
    url: text('url'),
    token: text('token'),
    storage: text('storage'),
    account: text('account'),
    project: text('project'),
    environment: text('environment'),
    output: text('output') as OutputFormat | undefined,
  }
}
