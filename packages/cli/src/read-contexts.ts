import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { EvaluationContext } from '@halyard/core/evaluation'
import { cliError } from './cli-error.ts'
import type { Terminal } from './command.ts'

/** Reads contexts of an NDJSON file, or of the input for `-`. */
export async function readContexts(file: string, { stdin }: Terminal): Promise<EvaluationContext[]> {
  const content = file === '-' && stdin ? await text(stdin) : await contentOf(file)
  return content.split('\n').flatMap((line, index) => {
    return line.trim() === '' ? [] : [parseJson(line, `--contexts ${file}, line ${index + 1}`) as EvaluationContext]
  })
}

/** Parses JSON of a file; `source` names it in the error. */
export function parseJson(content: string, source: string): object {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    throw cliError(`${source} is not JSON`, error)
  }
  if (typeof value !== 'object' || value === null) throw cliError(`${source} must be an object or a list`)
  return value
}

/** Reads a file. */
export function contentOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw cliError(`cannot read ${file}: ${error.code}`, error)
  })
}
