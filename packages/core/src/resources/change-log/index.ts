import { getChangeLogEntry } from './get-change-log-entry.ts'
import { listChangeLog } from './list-change-log.ts'

export const changeLogOperations = [listChangeLog, getChangeLogEntry] as const
