import * as v from 'valibot'
import type { FilterError } from '../../rules/filter/cursor.ts'
import { type FilterTerm, parseTermFilter, type TermText, type TermValue } from '../../rules/filter/term-filter.ts'
import type { Condition } from '../../storage/port.ts'
import { type FilterResult, filter } from './filter.ts'

/** Returns the condition for the value of a term filter's field, or an error. */
export type TermField = (value: TermValue, column: number) => Condition | FilterError

export type TermFields = Readonly<Record<string, TermField>>

/**
 * Parses a term filter on these fields, such as `tags:web+mobile,type:temporary`.
 *
 * @param byDefault a condition that is added unless a term has one of the fields `unless`.
 */
export function termConditions(
  text: string,
  fields: TermFields,
  byDefault: { readonly unless: readonly string[]; readonly condition: Condition } | undefined = undefined,
): FilterResult {
  const parsed = text.trim() === '' ? noTerms : parseTermFilter(text)
  if (!parsed.ok) return { conditions: [], filterErrors: [parsed.error] }
  const terms = parsed.filter
  const results = terms.map((term) => readTerm(term, fields))
  const conditions = results.filter((result) => 'op' in result)
  const filterErrors = results.filter((result) => 'column' in result)
  const isOverridden = terms.some(({ field }) => byDefault?.unless.includes(field))
  return { conditions: byDefault && !isOverridden ? [...conditions, byDefault.condition] : conditions, filterErrors }
}

const noTerms = { ok: true, filter: [] } as const

function readTerm({ field, column, value }: FilterTerm, fields: TermFields): Condition | FilterError {
  const parseField = Object.hasOwn(fields, field) ? fields[field] : undefined
  return parseField ? parseField(value, column) : { column, expected: `one of ${Object.keys(fields).join(', ')}` }
}

/** Schema of `filter` in a query: a term filter on these fields. Default: no condition. */
export const termFilter = (fields: TermFields) =>
  v.optional(
    filter((text) => termConditions(text, fields)),
    '',
  )

/** Makes a field whose value is one or more texts. */
function texts(makeCondition: (texts: readonly [TermText, ...TermText[]]) => Condition | FilterError): TermField {
  return (value) =>
    value.kind === 'texts'
      ? makeCondition(value.texts as readonly [TermText, ...TermText[]])
      : { column: value.column, expected: 'a text' }
}

/** `field:a+b`: the stored value is one of the texts. */
export const anyText = (field: string): TermField =>
  texts((all) => ({ op: 'anyOf', field, values: all.map(({ text }) => text) }))

/** `field:a+b`: the stored list contains all texts. */
export const allTexts = (field: string): TermField =>
  texts((all) => ({ op: 'and', all: all.map(({ text }) => ({ op: 'equals', field, value: text })) }))

/** `field:some words`: one of the stored texts contains the words, ignoring case. */
export const words = (...fields: readonly string[]): TermField =>
  texts((all) => ({ op: 'contains', in: fields, text: all.map(({ text }) => text).join(' ') }))

/** `field:a b`: the stored text is exactly `a b`. */
export const sameText = (field: string): TermField =>
  texts((all) => ({ op: 'equals', field, value: all.map(({ text }) => text).join(' ') }))

/** Returns the field of a term `field:word`: the word is one of a few, and each word has its own condition. */
export function oneWord(conditionsByWord: Readonly<Record<string, Condition>>): TermField {
  return texts(([{ text, column }, second]) => {
    const condition = Object.hasOwn(conditionsByWord, text) ? conditionsByWord[text] : undefined
    if (second) return { column: second.column, expected: 'the only value' }
    return condition ?? { column, expected: `one of ${Object.keys(conditionsByWord).join(', ')}` }
  })
}

/**
 * Returns the field of a term `field:a+b`: the stored value is one of these words, which must be among the allowed
 * words.
 */
export function anyWord(field: string, allowedWords: readonly string[]): TermField {
  return texts((all) => {
    const unknownWord = all.find(({ text }) => !allowedWords.includes(text))
    if (unknownWord) return { column: unknownWord.column, expected: `one of ${allowedWords.join(', ')}` }
    return { op: 'anyOf', field, values: all.map(({ text }) => text) }
  })
}

/**
 * Returns the field of a term `field:{"after":ms,"before":ms}`: the stored time (integer Unix milliseconds) is between
 * the two times, both exclusive.
 */
export function period(field: string): TermField {
  return (value, column) => {
    const expected = 'an object with "before" or "after" or both, in Unix milliseconds'
    if (value.kind !== 'object') return { column: value.texts[0]?.column ?? column, expected }
    const properties = Object.entries(value.properties)
    const isValid = properties.every(([name, ms]) => /^(before|after)$/.test(name) && Number.isSafeInteger(ms))
    if (!isValid || properties.length === 0) return { column: value.column, expected }
    const { before, after } = value.properties as { readonly before?: number; readonly after?: number }
    return {
      op: 'range',
      field,
      ...(after === undefined ? {} : { from: after + 1 }),
      ...(before === undefined ? {} : { to: before }),
    }
  }
}
