import { Command as CommanderCommand, CommanderError, Option } from 'commander'
import type { Terminal } from '../command.ts'
import { openConnection, settingsOf } from '../connection/open-connection.ts'
import { exitCode } from '../exit-code.ts'
import type { CommandGroup, OperationCommand } from './command-name.ts'
import { addConnectionOptions, connectionOptionsOf, optionsOf } from './command-options.ts'
import { flagVerbs } from './flag-verbs.ts'
import { operationInputOf, writeDownload } from './operation-call.ts'
import { argumentsOf, type OperationOption } from './operation-options.ts'
import { printedValue } from './printed-value.ts'

/**
 * Runs a command of a group, e.g. `flags list`. Without the name of a command it prints the commands of the group.
 *
 * @param args the arguments after the name of the group.
 * @returns the exit code of a command line that is wrong, or 0.
 * @throws the error of the operation.
 */
export async function runGroup(group: CommandGroup, args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await groupProgram(group, terminal, args[0]).parseAsync(args.length === 0 ? ['--help'] : [...args], {
      from: 'user',
    })
    return exitCode.done
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCode.done : exitCode.usage
  }
}

/**
 * Returns the commands of a group for the parser of command lines.
 *
 * @param selected name of the command that gets its options; all others have only their names, because converting the
 *   schemas of a whole group takes most of the time of a call.
 */
export function groupProgram(group: CommandGroup, terminal: Terminal, selected: string | undefined): CommanderCommand {
  const program = new CommanderCommand(`halyard ${group.name}`).description(group.description)
  program.exitOverride().configureOutput({
    writeOut: (text) => terminal.stdout.write(text),
    writeErr: (text) => terminal.stderr.write(text),
    getOutHelpWidth: () => 120,
    getErrHelpWidth: () => 120,
  })
  for (const command of group.commands) {
    const { summary } = command.operation
    const subcommand = program.command(command.name).summary(summary).description(summary)
    if (command.name === selected) addOperation(subcommand, command, terminal)
  }
  if (group.name === 'flags') for (const verb of flagVerbs) verb.addTo(program, terminal)
  return program
}

function addOperation(subcommand: CommanderCommand, command: OperationCommand, terminal: Terminal): void {
  const { operation } = command
  const declared = argumentsOf(command)
  for (const { flag, help } of declared.positionals) subcommand.argument(`<${flag}>`, help)
  for (const option of declared.options) if (option.flag !== 'dry-run') addDeclared(subcommand, option)
  addConnectionOptions(subcommand)
  if (operation.method === 'GET') subcommand.option('--at <time>', 'time of the state to read, e.g. 2026-11-01T12:00Z')
  else subcommand.option('--if-match <etag>', 'ETag that the resource must still have')
  if (declared.options.some(({ flag }) => flag === 'dry-run')) {
    subcommand.option('--dry-run', 'show the response that the call would have, and change nothing')
  }
  if (declared.body?.kind === 'upload')
    subcommand.requiredOption('--file <file>', 'file to send, or - for standard input')
  else if (declared.body) {
    subcommand.option('--body <file>', 'JSON file with the whole body, or - for standard input')
    subcommand.option('--set <name=value>', 'set a property of the body; can be repeated', collect, undefined)
  }
  if (operation.success.mediaType !== undefined) subcommand.option('--out <file>', 'file to write the response to')
  subcommand.action(async () => {
    const options = optionsOf(subcommand)
    const settings = await settingsOf(connectionOptionsOf(options), terminal.env)
    const input = await operationInputOf(declared, { positionals: subcommand.args, options }, settings, terminal)
    const connection = await openConnection(settings, typeof options.at === 'string' ? options.at : undefined)
    try {
      const ifMatch = options['if-match']
      const result = await connection.call(operation.id, input, typeof ifMatch === 'string' ? { ifMatch } : {})
      if (operation.success.mediaType !== undefined) {
        await writeDownload(result as AsyncIterable<string>, options.out as string | undefined, terminal)
      } else terminal.stdout.write(printedValue(result, settings.output ?? 'table'))
    } finally {
      await connection.close()
    }
  })
}

const collect = (value: string, previous: readonly string[] | undefined) => [...(previous ?? []), value]

function addDeclared(command: CommanderCommand, { flag, type, help }: OperationOption): void {
  const value = type === 'string' ? '<text>' : type === 'boolean' ? '[boolean]' : `<${type}>`
  command.addOption(new Option(`--${flag} ${value}`, help))
  if (type === 'boolean') command.addOption(new Option(`--no-${flag}`).hideHelp())
}
