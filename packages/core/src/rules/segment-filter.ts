import type { Fault } from './json-guard.ts'

/** One condition of a segment filter. */
export type SegmentTerm =
  | { readonly field: 'query'; readonly value: string }
  | { readonly field: 'tags'; readonly values: readonly string[] }
  | { readonly field: 'unbounded'; readonly value: boolean }
  | { readonly field: 'external'; readonly value: boolean }

export type ParsedSegmentFilter =
  | { readonly ok: true; readonly terms: readonly SegmentTerm[] }
  | { readonly ok: false; readonly fault: Fault }

/** Which operator goes with a field. */
const operators = { query: 'equals', tags: 'anyOf', unbounded: 'equals', external: 'exists' } as const

type Field = keyof typeof operators

const longestFilter = 2_000

/**
 * Reads the filter of a list of segments: terms `field operator value` joined by `,`, all of which must hold.
 *
 * `query equals "beta"` looks for a text in key, name and description; `tags anyOf ["a", "b"]`;
 * `unbounded equals true`; `external exists true`. A text of letters, digits, `.`, `_` and `-` needs no quotes.
 *
 * @param text at most 2,000 characters.
 * @returns the terms, or a fault that names the column, counted from 1, where the text is not understood.
 */
export function parseSegmentFilter(text: string): ParsedSegmentFilter {
  if (text.length > longestFilter) return refused(`must have at most ${longestFilter} characters`)
  const reading: Reading = { text, at: 0 }
  const terms: SegmentTerm[] = []
  try {
    do terms.push(readTerm(reading))
    while (take(reading, ','))
    if (reading.at < text.length) expected(reading, '"," or the end')
  } catch (error) {
    if (error instanceof Misread) return refused(error.message)
    throw error
  }
  return { ok: true, terms }
}

interface Reading {
  readonly text: string
  at: number
}

/** Ends the reading wherever it is; never leaves this file. */
class Misread extends Error {}

function readTerm(reading: Reading): SegmentTerm {
  const field = readOneOf(reading, Object.keys(operators) as Field[])
  readOneOf(reading, [operators[field]])
  switch (field) {
    case 'query':
      return { field, value: readText(reading) }
    case 'tags':
      return { field, values: readTexts(reading) }
    default:
      return { field, value: readOneOf(reading, ['true', 'false']) === 'true' }
  }
}

function readOneOf<const Word extends string>(reading: Reading, words: readonly Word[]): Word {
  skipSpace(reading)
  const word = /[A-Za-z]*/y
  word.lastIndex = reading.at
  const found = word.exec(reading.text)?.[0]
  const known = words.find((one) => one === found) ?? expected(reading, words.join(', '))
  reading.at += known.length
  skipSpace(reading)
  return known
}

function readTexts(reading: Reading): string[] {
  if (!take(reading, '[')) expected(reading, '"["')
  const texts: string[] = []
  do texts.push(readText(reading))
  while (take(reading, ','))
  if (!take(reading, ']')) expected(reading, '"," or "]"')
  return texts
}

function readText(reading: Reading): string {
  skipSpace(reading)
  const text = /"((?:[^"\\]|\\["\\])*)"|[A-Za-z0-9._-]+/y
  text.lastIndex = reading.at
  const found = text.exec(reading.text) ?? expected(reading, 'a text, quoted or of letters, digits, ".", "_", "-"')
  reading.at = text.lastIndex
  skipSpace(reading)
  return found[1] === undefined ? found[0] : found[1].replace(/\\(["\\])/g, '$1')
}

function take(reading: Reading, character: string): boolean {
  if (reading.text[reading.at] !== character) return false
  reading.at++
  skipSpace(reading)
  return true
}

function skipSpace(reading: Reading): void {
  while (reading.text[reading.at] === ' ') reading.at++
}

function expected(reading: Reading, what: string): never {
  throw new Misread(`column ${reading.at + 1}: must be ${what}`)
}

function refused(reason: string): ParsedSegmentFilter {
  return { ok: false, fault: { attribute: 'filter', reason } }
}
