export { describeFilterError, type FilterError, type ParsedFilter } from './cursor.ts'
export { type Comparison, parseQueryFilter, printQueryFilter, type QueryFilter } from './query-filter.ts'
export { type FilterTerm, parseTermFilter, printTermFilter, type TermFilter } from './term-filter.ts'
