import type { StoredRecord } from '../../storage/port.ts'

/** The only one that is written and read. */
export const backUpVersion = 1

/** The first line. Nothing in it tells when or where it was made: the same content makes the same bytes. */
export interface BackUpHeader {
  readonly format: 'halyard'
  readonly version: number
  /** Whether secrets are in it. */
  readonly secrets: boolean
}

/** How many records there are of each kind. */
export type RecordCounts = Readonly<Record<StoredRecord['kind'], number>>

/** The last line. */
export interface BackUpFooter {
  readonly kind: 'end'
  readonly records: RecordCounts
  /** How many documents were left out because they are nothing without their secrets, by collection. */
  readonly leftOut: Readonly<Record<string, number>>
  /** Of all lines before this one with their ends, in hex: what `head -n -1 | sha256sum` says. */
  readonly sha256: string
}

export const noRecords: RecordCounts = { document: 0, member: 0, sample: 0, task: 0 }
