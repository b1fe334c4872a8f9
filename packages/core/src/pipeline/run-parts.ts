import type { Audience } from '../operation/audience.ts'
import type { Wire } from '../operation/context.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { LogOrder } from '../operation/log-order.ts'
import type { PolicyRules } from '../rules/policy/policy-rules.ts'
import type { AccountStorage } from '../storage/port.ts'
import { type Reader, reader } from '../storage/reader.ts'
import type { StorageReads } from '../storage/reads.ts'
import type { RememberedReads } from '../storage/remembered-reads.ts'
import type { Authority } from './authority.ts'
import type { Selection } from './selection.ts'

/** What door 7 works with. */
export interface RunParts {
  readonly options: EngineOptions
  readonly storage: AccountStorage
  /** What was read from `storage` before, as long as it is still so. */
  readonly documents: RememberedReads
  /** The reading half of it, which keeps nothing of a call and so serves all. */
  readonly reader: Reader
  readonly policy: PolicyRules
  readonly authority: Authority
  readonly selection: Selection
  readonly audience: Audience
  readonly wire: Wire
  /** The places of entries in the change log. */
  readonly order: LogOrder
}

/** The same, looking at storage in another way. */
export function seeing<Parts extends RunParts>(parts: Parts, reads: StorageReads): Parts {
  return { ...parts, reader: reader(reads), authority: parts.authority.seeing(reads) }
}
