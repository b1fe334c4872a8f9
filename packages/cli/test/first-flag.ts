import type { RunCommands } from '../../../test/frameworks/run-commands.ts'
import { freePort, type ShellOptions, startShell, untilServing } from '../../../test/frameworks/shell.ts'

/**
 * Follows the report of `halyard init`: starts the application, creates a flag, turns it on and evaluates it.
 *
 * @param report what the command printed.
 * @param run runs the commands after the start.
 * @param options how the application is started.
 * @returns what the last commands printed.
 */
export async function followReport(report: string, run: RunCommands, options: ShellOptions): Promise<string> {
  const port = await freePort()
  const commands = report.split('\n').filter((line) => line.startsWith('  '))
  const start = commands.find((line) => line.startsWith('  HALYARD_TOKEN='))
  const others = commands.filter((line) => /^ {2}(export|npx|echo) /.test(line))
  if (start === undefined || others.length !== 4) throw new Error(`the report lacks commands:\n${report}`)
  const env = { ...options.env, PORT: String(port) }
  const application = startShell(start, { ...options, env })
  try {
    await untilServing(`http://127.0.0.1:${port}/`, application)
    return await run(others.join('\n').replaceAll('localhost:3000', `127.0.0.1:${port}`))
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${application.output()}`)
  } finally {
    await application.stop()
  }
}
