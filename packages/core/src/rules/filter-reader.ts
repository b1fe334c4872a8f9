import type { Fault } from './json-guard.ts'

export type ParsedFilter<Term> =
  | { readonly ok: true; readonly terms: readonly Term[] }
  | { readonly ok: false; readonly fault: Fault }

/** A filter that is being read. */
export interface Reading {
  readonly text: string
  at: number
}

const longestFilter = 2_000

/**
 * Reads the filter of a list: terms joined by `,`, all of which must hold.
 *
 * @param text at most 2,000 characters.
 * @param readTerm reads one term with the functions of this file.
 * @returns the terms, or a fault that names the column, counted from 1, where the text is not understood.
 */
export function parseFilter<Term>(text: string, readTerm: (reading: Reading) => Term): ParsedFilter<Term> {
  if (text.length > longestFilter) return refused(`must have at most ${longestFilter} characters`)
  const reading: Reading = { text, at: 0 }
  const terms: Term[] = []
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

/** Ends the reading wherever it is; never leaves this file. */
class Misread extends Error {}

/** Reads one of these words, of letters. */
export function readOneOf<const Word extends string>(reading: Reading, words: readonly Word[]): Word {
  skipSpace(reading)
  const word = /[A-Za-z]*/y
  word.lastIndex = reading.at
  const found = word.exec(reading.text)?.[0]
  const known = words.find((one) => one === found) ?? expected(reading, words.join(', '))
  reading.at += known.length
  skipSpace(reading)
  return known
}

/** Reads what `readItem` reads, once or several times, in brackets. */
export function readList<Item>(reading: Reading, readItem: (reading: Reading) => Item): Item[] {
  if (!take(reading, '[')) expected(reading, '"["')
  const items: Item[] = []
  do items.push(readItem(reading))
  while (take(reading, ','))
  if (!take(reading, ']')) expected(reading, '"," or "]"')
  return items
}

/** Reads a text; one of letters, digits, `.`, `_` and `-` needs no quotes. */
export function readText(reading: Reading): string {
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

function refused(reason: string): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { attribute: 'filter', reason } }
}
