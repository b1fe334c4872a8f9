import { type ParsedFilter, parseFilter, type Reading, readList, readOneOf, readText } from '../filter-reader.ts'
import { type ApprovalStatus, approvalStatuses } from './life.ts'
import { type ReviewStatus, reviewStatuses } from './reviews.ts'

/** What a request can be about. */
export const approvedKinds = ['flag', 'segment', 'aiConfig'] as const

/** One condition of a filter of approval requests. */
export type ApprovalTerm =
  | { readonly field: 'requestorId' | 'resourceId' | 'projectKey'; readonly value: string }
  | { readonly field: 'resourceKind'; readonly value: (typeof approvedKinds)[number] }
  | { readonly field: 'notifyMemberIds'; readonly values: readonly string[] }
  | { readonly field: 'reviewStatus'; readonly values: readonly ReviewStatus[] }
  | { readonly field: 'status'; readonly values: readonly ApprovalStatus[] }

/** Which operator goes with a field. */
const operators = {
  notifyMemberIds: 'anyOf',
  requestorId: 'equals',
  resourceId: 'equals',
  resourceKind: 'equals',
  reviewStatus: 'anyOf',
  status: 'anyOf',
  projectKey: 'equals',
} as const

type Field = keyof typeof operators

/**
 * Reads the filter of a list of approval requests: terms `field operator value` joined by `,`, all of which must hold.
 *
 * `notifyMemberIds anyOf ["5c…"]`, `requestorId equals "5c…"`, `resourceId equals "proj/web:env/production:flag/f"`,
 * `resourceKind equals flag`, `reviewStatus anyOf [approved, pending]`, `status anyOf [scheduled]`,
 * `projectKey equals web`. A text of letters, digits, `.`, `_` and `-` needs no quotes.
 *
 * @param text at most 2,000 characters.
 * @returns the terms, or a fault that names the column, counted from 1, where the text is not understood.
 */
export function parseApprovalFilter(text: string): ParsedFilter<ApprovalTerm> {
  return parseFilter(text, readTerm)
}

function readTerm(reading: Reading): ApprovalTerm {
  const field = readOneOf(reading, Object.keys(operators) as Field[])
  readOneOf(reading, [operators[field]])
  switch (field) {
    case 'notifyMemberIds':
      return { field, values: readList(reading, readText) }
    case 'reviewStatus':
      return { field, values: readList(reading, wordOf(reviewStatuses)) }
    case 'status':
      return { field, values: readList(reading, wordOf(approvalStatuses)) }
    case 'resourceKind':
      return { field, value: wordOf(approvedKinds)(reading) }
    default:
      return { field, value: readText(reading) }
  }
}

/** Reads one of these words, in quotes or without. */
function wordOf<const Word extends string>(words: readonly Word[]): (reading: Reading) => Word {
  return (reading) => {
    if (reading.text[reading.at] !== '"') return readOneOf(reading, words)
    const start = reading.at
    const found = readText(reading)
    const known = words.find((word) => word === found)
    if (known !== undefined) return known
    reading.at = start
    return readOneOf(reading, words)
  }
}
