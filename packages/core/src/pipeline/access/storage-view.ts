import { type Reader, StorageReader } from '../../storage/reader.ts'
import type { StorageReads } from '../../storage/reads.ts'
import type { Authority } from './authority.ts'

/** The reads of a call, and the decisions that are made on them. */
export interface StorageView {
  readonly reader: Reader
  readonly authority: Authority
}

/** Returns a view over other reads. */
export function viewOver({ authority }: Pick<StorageView, 'authority'>, reads: StorageReads): StorageView {
  return { reader: new StorageReader(reads), authority: authority.over(reads) }
}
