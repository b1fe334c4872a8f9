import type { EngineOptions } from '../operation/engine-options.ts'
import type { Identified } from '../operation/identity.ts'
import { type CacheFigures, type FreshCache, freshCache } from '../storage/fresh-cache.ts'
import { type Freshness, freshness } from '../storage/freshness.ts'
import type { AccountStorage } from '../storage/port.ts'
import { type RememberedReads, rememberedReads } from '../storage/remembered-reads.ts'
import { type RememberedAnswer, type RememberedAnswers, rememberedAnswers } from './remembered-answers.ts'

/** What an engine remembers between calls (docs/decisions/0009-invalidate-caches-by-scope-tree.md). */
export interface Remembering {
  readonly fresh: Freshness
  readonly documents: RememberedReads
  /** By token. */
  readonly callers: FreshCache<Identified>
  readonly answers: RememberedAnswers
}

/** How often something was found in memory, and how much is there. */
export interface Remembered {
  /** `size` is their number. */
  readonly callers: CacheFigures
  /** Answers to GET requests over transports; `size` is bytes. */
  readonly answers: CacheFigures
  /** What was read from storage; `size` is about how many bytes it takes. */
  readonly documents: CacheFigures
}

const mostCallers = 1000

/** Opens an empty memory. Where the storage does not tell what changes, it stays empty. */
export function remembering(storage: AccountStorage, options: EngineOptions): Remembering {
  const { remember = { answers: 0, documents: 0 } } = options
  const fresh = freshness(options.remember ? storage : {})
  const answers = { size: remember.answers, largest: remember.answers / 16 }
  return {
    fresh,
    documents: rememberedReads(storage, fresh, remember.documents),
    callers: freshCache(fresh, { size: mostCallers }),
    answers: rememberedAnswers(options, freshCache<RememberedAnswer>(fresh, answers)),
  }
}
