import type { StoredRecord } from '../../storage/port.ts'

/** The only version that is written and read. */
export const backUpVersion = 1

/** The first line. It contains no time and no origin, so that the same content produces the same bytes. */
export interface BackUpHeader {
  readonly format: 'halyard'
  readonly version: number
  /** True when the back-up contains secrets. */
  readonly secrets: boolean
}

/** Number of records of each kind. */
export type RecordCounts = Readonly<Record<StoredRecord['kind'], number>>

/** The last line of a back-up. */
export interface BackUpFooter {
  readonly kind: 'end'
  readonly records: RecordCounts
  /** Number of documents, by collection, that were omitted because they are useless without their secrets. */
  readonly leftOut: Readonly<Record<string, number>>
  /** Hex digest of all preceding lines with their line ends: the output of `head -n -1 | sha256sum`. */
  readonly sha256: string
}

export const noRecords: RecordCounts = { document: 0, member: 0, sample: 0, task: 0 }
