export { getChangeLogEntry } from './get-change-log-entry.ts'
export { listChangeLog } from './list-change-log.ts'
export { revertChangeLogEntry } from './revert-change-log-entry.ts'
export { searchChangeLog } from './search-change-log.ts'
