import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'

/**
 * Reads the JSON values of a file. A file contains one value, or several in sequence, for example responses that `cat`
 * concatenated.
 *
 * @param file `-` for standard input.
 * @throws CliError naming the line of text that is not JSON.
 */
export async function readJsonValues(file: string, { stdin }: Terminal): Promise<readonly unknown[]> {
  const content = file === '-' ? (stdin ? await text(stdin) : '') : await contentOf(file)
  const name = file === '-' ? 'standard input' : file
  const values = valuesIn(content.replace(/^\uFEFF/, ''), name)
  if (values.length === 0) throw cliError(`${name} is empty`)
  return values
}

function contentOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw cliError(`cannot read ${file}: ${error.code}`, error)
  })
}

function valuesIn(content: string, name: string): unknown[] {
  if (content.trim() === '') return []
  const single = parseJson(content)
  if (single !== undefined) return [single]
  const parts = splitValues(content)
  const values = parts.map(({ part }) => parseJson(part))
  const invalid = parts[values.indexOf(undefined)]
  if (parts.length === 0 || invalid) throw cliError(`${name} is not JSON: see line ${invalid?.line ?? 1}`)
  return values
}

/** Returns undefined for text that is not JSON, because JSON has no undefined. */
function parseJson(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

interface Part {
  readonly part: string
  readonly line: number
}

/** Splits a text at the end of each top-level object or list. */
function splitValues(content: string): Part[] {
  const parts: Part[] = []
  let [start, depth, line] = [0, 0, 1]
  let startLine = 1
  for (const { 0: token, index } of content.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}\n]/gs)) {
    if (token === '\n') line++
    if (depth === 0 && token !== '\n') startLine = line
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    if (depth !== 0 || (token !== '}' && token !== ']')) continue
    parts.push({ part: content.slice(start, index + 1), line: startLine })
    start = index + 1
  }
  return content.slice(start).trim() === '' ? parts : [...parts, { part: content.slice(start), line: startLine }]
}
