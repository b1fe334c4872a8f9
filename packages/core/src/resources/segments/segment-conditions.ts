import { segmentTypes } from '../../models/segments/segment.ts'
import type { FilterResult } from '../../operation/filters/filter.ts'
import {
  hasWords,
  oneOf,
  oneOfWords,
  type QueryFields,
  queryConditions,
  trueOrFalse,
} from '../../operation/filters/query-conditions.ts'

/** Filters that the indexed fields of segments support. */
const fields: QueryFields = {
  query: { equals: hasWords('key', 'name', 'description') },
  tags: { anyOf: oneOf('tags') },
  keys: { anyOf: oneOf('key') },
  includedKeys: { anyOf: oneOf('includedKeys') },
  excludedKeys: { anyOf: oneOf('excludedKeys') },
  unbounded: { equals: trueOrFalse((value) => ({ op: 'equals', field: 'unbounded', value })) },
  external: { exists: trueOrFalse((value) => ({ op: 'exists', field: 'external', value })) },
  type: { equals: oneOfWords('type', segmentTypes), anyOf: oneOfWords('type', segmentTypes) },
  // Not a field of a segment: `inViews` handles it.
  view: { equals: oneOf('view'), anyOf: oneOf('view') },
}

/**
 * Reads a filter of segments: comparisons joined by `,` (and), `|` (or) and parentheses
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d19-links-to-a-view).
 *
 * - `query equals "beta"` searches key, name and description.
 * - `tags anyOf ["a", "b"]`, `keys anyOf ["beta"]`.
 * - `includedKeys anyOf ["user-1"]`, `excludedKeys anyOf […]`. No big segment matches these conditions
 *   (docs/decisions/0030-filter-lists-by-indexed-fields.md).
 * - `unbounded equals true`, `external exists true`.
 * - `type equals rule-based`, `list-based` or `synced`.
 * - `view equals checkout`.
 */
export function segmentConditions(text: string): FilterResult {
  return queryConditions(text, fields)
}
