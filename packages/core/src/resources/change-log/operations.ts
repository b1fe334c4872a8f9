export { getChangeLogEntry } from './get-change-log-entry.ts'
export { listChangeLog } from './list-change-log.ts'
