import { type ParsedFilter, parseFilter, type Reading, readList, readOneOf, readText } from './filter-reader.ts'

/** One condition of a segment filter. */
export type SegmentTerm =
  | { readonly field: 'query'; readonly value: string }
  | { readonly field: 'tags'; readonly values: readonly string[] }
  | { readonly field: 'unbounded'; readonly value: boolean }
  | { readonly field: 'external'; readonly value: boolean }

/** Which operator goes with a field. */
const operators = { query: 'equals', tags: 'anyOf', unbounded: 'equals', external: 'exists' } as const

type Field = keyof typeof operators

/**
 * Reads the filter of a list of segments: terms `field operator value` joined by `,`, all of which must hold.
 *
 * `query equals "beta"` looks for a text in key, name and description; `tags anyOf ["a", "b"]`;
 * `unbounded equals true`; `external exists true`. A text of letters, digits, `.`, `_` and `-` needs no quotes.
 *
 * @param text at most 2,000 characters.
 * @returns the terms, or a fault that names the column, counted from 1, where the text is not understood.
 */
export function parseSegmentFilter(text: string): ParsedFilter<SegmentTerm> {
  return parseFilter(text, readTerm)
}

function readTerm(reading: Reading): SegmentTerm {
  const field = readOneOf(reading, Object.keys(operators) as Field[])
  readOneOf(reading, [operators[field]])
  switch (field) {
    case 'query':
      return { field, value: readText(reading) }
    case 'tags':
      return { field, values: readList(reading, readText) }
    default:
      return { field, value: readOneOf(reading, ['true', 'false']) === 'true' }
  }
}
