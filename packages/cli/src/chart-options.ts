import { writeFile } from 'node:fs/promises'
import { cliError } from './cli-error.ts'
import type { Terminal } from './command.ts'

/** The option for the colors of a chart. */
export const themeOption = { type: 'string', preset: 'light', help: 'light or dark' } as const

/**
 * Returns the value of an option that has a fixed set of values.
 *
 * @throws CliError for another value.
 */
export function parseChoice<const Choice extends string>(
  option: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((candidate) => candidate === value)
  if (choice === undefined) throw cliError(`${option} must be one of ${choices.join(', ')}, not "${value}"`)
  return choice
}

/**
 * Writes a chart to a file.
 *
 * @param file default: standard output.
 * @throws CliError when the file cannot be written.
 */
export async function writeChart(svg: string, file: string | undefined, { stdout }: Terminal): Promise<void> {
  if (file === undefined) {
    stdout.write(svg)
    return
  }
  await writeFile(file, svg).catch((error) => {
    throw cliError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`, error)
  })
}
