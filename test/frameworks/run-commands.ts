import { Readable, Writable } from 'node:stream'
import { runCli } from '../../packages/cli/src/run-cli.ts'

/** Runs commands that a page or a report shows, and resolves with what they print. */
export type RunCommands = (commands: string) => Promise<string>

/** A line with a command: variables that it exports, or the standard input and the arguments of the command. */
const linePattern = /^ *(?:export (?<variables>.*)|(?:echo '(?<input>.*)' \| )?npx @halyard\/cli (?<words>.*))$/

/**
 * Runs commands in this process, without a process for each command.
 *
 * @throws Error for a line that is not a command of this kind, and when a command fails.
 */
export async function inProcess(commands: string): Promise<string> {
  const env: Record<string, string> = { XDG_CONFIG_HOME: '/nonexistent' }
  let output = ''
  for (const line of commands.split('\n').filter((each) => each.trim() !== '')) {
    const { variables, input = '', words = '' } = linePattern.exec(line)?.groups ?? {}
    if (variables !== undefined) {
      for (const [, name = '', value = ''] of variables.matchAll(/(\w+)=(\S*)/g)) env[name] = value
      continue
    }
    if (words === '') throw new Error(`not a command: ${line}`)
    const sink = new Writable({
      write(chunk, _, done) {
        output += chunk
        done()
      },
    })
    const { signal } = new AbortController()
    const terminal = { env, stdin: Readable.from([input]), stdout: sink, stderr: sink, signal }
    const code = await runCli(words.split(' '), terminal)
    if (code !== 0) throw new Error(`${line}\nended with ${code}:\n${output}`)
  }
  return output
}
