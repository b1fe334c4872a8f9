// The storage interface that an engine calls and an adapter implements.
export * from '../storage/port.ts'

// Functions that adapters share.
export { compareCodePoints, foldAscii } from '../storage/code-point-order.ts'
export {
  type TaskChange,
  type TaskChangeChecker,
  taskAddress,
  taskChangeChecker,
} from '../storage/task-change-checker.ts'
export { touchedBy } from '../storage/touched-records.ts'
export { coalesce } from '../storage/adapter/coalesce.ts'
export { documentAddress } from '../storage/adapter/document-address.ts'
export {
  findRefusal,
  type OtherRecord,
  type RefusedOutcome,
  recordAddress,
  type StoredState,
  type DocumentChange,
  isDocumentChange,
  isTaskChange,
} from '../storage/adapter/find-refusal.ts'
export { concernsOtherProcesses, noticePayload, type ParsedNotice, parseNotice } from '../storage/adapter/notice.ts'
export {
  escapeText,
  fieldsFromJson,
  storableJson,
  unescapeText,
  wellFormed,
} from '../storage/adapter/storable-text.ts'
export { allOf, fieldOf, type RowTest } from '../storage/adapter/row-conditions.ts'
export type { Row } from '../storage/adapter/row.ts'
export { type RowOrder, rowOrder, type SortedRow } from '../storage/adapter/row-order.ts'
export {
  type DocumentRows,
  ListViews,
  type ListViewOptions,
} from '../storage/adapter/lists/list-views.ts'
export type { Pauses } from '../storage/adapter/lists/pauses.ts'
export type { RowChange } from '../storage/adapter/lists/change-journal.ts'
export { pauses } from '../platform.ts'
export { isOfScope } from '../storage/adapter/scope-list.ts'
export { boundary } from '../storage/adapter/time-boundary.ts'
export { trackWindows } from '../storage/adapter/track-windows.ts'
export { branchNames } from '../storage/branch/branch-names.ts'
