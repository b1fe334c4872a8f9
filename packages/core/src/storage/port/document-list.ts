import type { Fields } from './document.ts'

/** Which documents are listed, in which order, and how many. */
export interface ListQuery {
  readonly collection: string
  readonly scope: string
  /** Also the documents of all scopes under `scope`. Default false. */
  readonly deep?: boolean
  /** Conditions that must all hold. */
  readonly where?: readonly Condition[]
  /** First criterion first. Default: by key. */
  readonly order?: readonly Order[]
  /** Rows to return; 0 with `count` asks for the count alone. */
  readonly limit: number
  /** Rows to pass over. Default 0. */
  readonly offset?: number
  /** Whether `total` is wanted; it costs a second look. Default false. */
  readonly count?: boolean
  /** `fields` hands out the narrow rows only, without bodies. */
  readonly select: 'fields' | 'bodies'
}

/**
 * A condition on a field (or on `key`). Text comparison is exact and by code point.
 *  - `equals`: same scalar; on a list: contains it.
 *  - `anyOf`: equals one of them; on a list: shares one with them.
 *  - `contains`: text contains the text, both lower-cased (simple case folding of ASCII letters);
 *    `in` names several fields of which one must match.
 *  - `exists`: the field is there and not null (or the opposite).
 *  - `not`: the negation of a condition.
 *  - `or`: one of the conditions holds.
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

/** Text sorts by code point, numbers by value; a missing field sorts first ascending and last descending. */
export interface Order {
  /** A field's name, or `key`. */
  readonly field: string
  readonly type: 'text' | 'number'
  /** Default false. */
  readonly descending?: boolean
}

/** One page of a collection. */
export interface DocumentPage {
  readonly items: readonly ListedDocument[]
  /** How many documents match without limit and offset; undefined unless asked for. */
  readonly total: number | undefined
}

/** A document as it stands in a list. */
export interface ListedDocument {
  readonly key: string
  readonly scope: string
  readonly version: number
  readonly fields: Fields
  /** Undefined when only fields were selected. */
  readonly body: unknown
}
