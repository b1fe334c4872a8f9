import * as v from 'valibot'
import type { FilterError } from '../../rules/filter/cursor.ts'
import { type FilterTerm, parseTermFilter, type TermText, type TermValue } from '../../rules/filter/term-filter.ts'
import type { Condition } from '../../storage/port.ts'
import { type FilterReading, filter } from './filter.ts'

/** What a field of a term filter may be followed by, and what that means. */
export type TermField = (value: TermValue, column: number) => Condition | FilterError

export type TermFields = Readonly<Record<string, TermField>>

/**
 * Reads a term filter, such as `tags:web+mobile,type:temporary`, of these fields.
 *
 * @param usually a condition on each of these fields is added where no term names one of them.
 */
export function termConditions(
  text: string,
  fields: TermFields,
  usually: { readonly unless: readonly string[]; readonly condition: Condition } | undefined = undefined,
): FilterReading {
  const parsed = text.trim() === '' ? noTerms : parseTermFilter(text)
  if (!parsed.ok) return { conditions: [], faults: [parsed.error] }
  const terms = parsed.filter
  const read = terms.map((term) => readTerm(term, fields))
  const conditions = read.filter((one) => 'op' in one)
  const faults = read.filter((one) => 'column' in one)
  const named = terms.some(({ field }) => usually?.unless.includes(field))
  return { conditions: usually && !named ? [...conditions, usually.condition] : conditions, faults }
}

const noTerms = { ok: true, filter: [] } as const

function readTerm({ field, column, value }: FilterTerm, fields: TermFields): Condition | FilterError {
  const known = Object.hasOwn(fields, field) ? fields[field] : undefined
  return known ? known(value, column) : { column, expected: `one of ${Object.keys(fields).join(', ')}` }
}

/** `filter` in a query: a term filter of these fields, or none. */
export const termFilter = (fields: TermFields) =>
  v.optional(
    filter((text) => termConditions(text, fields)),
    '',
  )

/** A field that is followed by texts. */
function texts(read: (texts: readonly [TermText, ...TermText[]]) => Condition | FilterError): TermField {
  return (value) =>
    value.kind === 'texts'
      ? read(value.texts as readonly [TermText, ...TermText[]])
      : { column: value.column, expected: 'a text' }
}

/** `field:a+b`: one of them is what is stored. */
export const anyText = (field: string): TermField =>
  texts((all) => ({ op: 'anyOf', field, values: all.map(({ text }) => text) }))

/** `field:a+b`: the stored list has all of them. */
export const allTexts = (field: string): TermField =>
  texts((all) => ({ op: 'and', all: all.map(({ text }) => ({ op: 'equals', field, value: text })) }))

/** `field:some words`: one of the stored texts contains them, whatever their case. */
export const words = (...fields: readonly string[]): TermField =>
  texts((all) => ({ op: 'contains', in: fields, text: all.map(({ text }) => text).join(' ') }))

/** `field:a b`: exactly this is stored. */
export const sameText = (field: string): TermField =>
  texts((all) => ({ op: 'equals', field, value: all.map(({ text }) => text).join(' ') }))

/** `field:word`: one of a few words, each with its meaning. */
export function oneWord(meanings: Readonly<Record<string, Condition>>): TermField {
  return texts(([{ text, column }, second]) => {
    const meaning = Object.hasOwn(meanings, text) ? meanings[text] : undefined
    if (second) return { column: second.column, expected: 'the only value' }
    return meaning ?? { column, expected: `one of ${Object.keys(meanings).join(', ')}` }
  })
}

/** `field:a+b`: one of these words, of a few that there are, is what is stored. */
export function anyWord(field: string, known: readonly string[]): TermField {
  return texts((all) => {
    const strange = all.find(({ text }) => !known.includes(text))
    if (strange) return { column: strange.column, expected: `one of ${known.join(', ')}` }
    return { op: 'anyOf', field, values: all.map(({ text }) => text) }
  })
}

/** `field:{"after":ms,"before":ms}`: the stored time, integer Unix milliseconds, lies between, ends excluded. */
export function period(field: string): TermField {
  return (value, column) => {
    const expected = 'an object with "before" or "after" or both, in Unix milliseconds'
    if (value.kind !== 'object') return { column: value.texts[0]?.column ?? column, expected }
    const members = Object.entries(value.properties)
    const sound = members.every(([name, ms]) => /^(before|after)$/.test(name) && Number.isSafeInteger(ms))
    if (!sound || members.length === 0) return { column: value.column, expected }
    const { before, after } = value.properties as { readonly before?: number; readonly after?: number }
    return {
      op: 'range',
      field,
      ...(after === undefined ? {} : { from: after + 1 }),
      ...(before === undefined ? {} : { to: before }),
    }
  }
}
