import type { Writable } from 'node:stream'
import type { LogEntry } from '@halyard/core'
import { cliError } from './cli-error.ts'

export type Log = (entry: LogEntry) => void

/**
 * Makes the log for an option: `json` (one object per line), `pretty` (readable lines) or `off`. Debug entries are
 * omitted; times are in UTC.
 */
export function makeLog(format: string, output: Writable, now: () => number): Log {
  if (format === 'off') return () => {}
  if (format !== 'json' && format !== 'pretty')
    throw cliError(`HALYARD_LOG must be json, pretty or off, not "${format}"`)
  const write = format === 'json' ? jsonLine : prettyLine
  return (entry) => {
    if (entry.level !== 'debug') output.write(`${write(entry, new Date(now()).toISOString())}\n`)
  }
}

function jsonLine({ error, ...entry }: LogEntry, time: string): string {
  return JSON.stringify({ time, ...entry, ...(error === undefined ? {} : { error: textOf(error) }) })
}

function prettyLine({ level, event, operation, requestId, message, error }: LogEntry, time: string): string {
  const parts = [time, level, event, operation, requestId, message, error === undefined ? undefined : textOf(error)]
  return parts.filter((part) => part !== undefined).join(' ')
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
