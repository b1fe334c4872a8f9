import type { Fields } from './document.ts'

/** Selects the documents of a list, their order and their number. */
export interface ListQuery {
  readonly collection: string
  readonly scope: string
  /** Includes the documents of all scopes under `scope`. Default false. */
  readonly deep?: boolean
  /** Conditions that a document must all meet. */
  readonly where?: readonly Condition[]
  /** Sort criteria, the most significant first. Default: by key. */
  readonly order?: readonly Order[]
  /** Maximum number of rows; 0 with `count` requests only the count. */
  readonly limit: number
  /** Number of rows to skip. Default 0. */
  readonly offset?: number
  /** Requests `total`, which costs a second query. Default false. */
  readonly count?: boolean
  /** `fields` returns only the narrow rows, without bodies. */
  readonly select: 'fields' | 'bodies'
}

/**
 * A condition on a field (or on `key`). Text comparison is exact and by code point.
 *
 * - `equals`: the field is the same scalar, or a list that contains it.
 * - `anyOf`: the field is one of the values, or a list that contains one of them.
 * - `contains`: at least one of the fields `in` contains the text, when ASCII letters of both are lower-cased.
 * - `exists`: the field exists and is not null; with the value false, the opposite.
 * - `not`: the condition is not met.
 * - `or`: at least one of the conditions is met.
 */
export type Condition =
  | { readonly op: 'equals'; readonly field: string; readonly value: string | number | boolean }
  | { readonly op: 'anyOf'; readonly field: string; readonly values: readonly (string | number)[] }
  | { readonly op: 'contains'; readonly in: readonly string[]; readonly text: string }
  | { readonly op: 'exists'; readonly field: string; readonly value: boolean }
  | { readonly op: 'range'; readonly field: string; readonly from?: number; readonly to?: number }
  | { readonly op: 'and'; readonly all: readonly Condition[] }
  | { readonly op: 'or'; readonly any: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }

/**
 * A sort criterion. Text sorts by code point, numbers by value, false before true; `texts` sorts lists of texts by
 * their texts in order, joined by commas. A missing field sorts first ascending and last descending, and so does an
 * empty list.
 */
export interface Order {
  /** A field's name, or `key`. */
  readonly field: string
  readonly type: 'text' | 'texts' | 'number' | 'boolean'
  /** Sorts text as if its ASCII letters were lower-case. Only for the type `text`. Default false. */
  readonly ignoreCase?: boolean
  /** Default false. */
  readonly descending?: boolean
}

/** One page of a collection. */
export interface DocumentPage {
  readonly items: readonly ListedDocument[]
  /** Number of documents that match, regardless of limit and offset; undefined unless `count` was set. */
  readonly total: number | undefined
}

/** A document as a list returns it. */
export interface ListedDocument {
  readonly key: string
  readonly scope: string
  readonly version: number
  readonly fields: Fields
  /** Undefined when only fields were selected. */
  readonly body: unknown
}
