import type { Ruleset } from '../../rules/evaluation/index.ts'
import { type DataKind, deleteMessage, patchMessage } from '../../rules/sdk-protocol/server-messages.ts'
import type { EvaluatedContent } from '../evaluation/evaluated-content.ts'
import type { HeldChange } from '../evaluation/held-environment.ts'
import type { Payloads } from './payloads.ts'

/** Computes the events for server-side SDKs after changes of an environment's content. */
export interface ContentChanges {
  /** Records the content that new streams receive. */
  begin(content: EvaluatedContent): void
  /** Returns the events from the last content to this one; undefined when nothing differs. */
  next(content: EvaluatedContent, only: HeldChange['only']): SentChange | undefined
  forget(): void
}

/** The same bytes for all streams. */
export interface SentChange {
  readonly chunk: Uint8Array
  /** True when the event replaces all data. */
  readonly whole: boolean
}

/** Maximum number of removed flags and segments whose versions are stored. Above it all data is sent again. */
const mostRemoved = 1000

/** Makes the state of streams that have sent nothing. */
export function contentChanges(payloads: Payloads): ContentChanges {
  let sent: Ruleset | undefined
  /**
   * By path, the version with which SDKs store a deletion. A new flag or segment at that path must have a higher one.
   */
  const removed = new Map<string, number>()

  /** Undefined when SDKs would ignore events of single flags and segments. */
  function parts(before: Ruleset, now: Ruleset, only: NonNullable<HeldChange['only']>): string[] | undefined {
    const messages: string[] = []
    // Segments first, because a new flag may refer to a new segment.
    for (const kind of ['segments', 'flags'] as const) {
      for (const key of only[kind]) {
        const message = part(kind, key, before, now)
        if (message === undefined) return undefined
        messages.push(message)
      }
    }
    return removed.size > mostRemoved ? undefined : messages
  }

  function part(kind: DataKind, key: string, before: Ruleset, now: Ruleset): string | undefined {
    const [was, is] = [before[kind].get(key)?.data, now[kind].get(key)?.data]
    const path = `${kind}/${key}`
    if (!is) {
      if (!was) return ''
      const version = (was.version ?? 0) + 1
      removed.set(path, version)
      return deleteMessage(kind, key, version)
    }
    if (was && JSON.stringify(was) === JSON.stringify(is)) return ''
    if ((is.version ?? 0) <= (was?.version ?? removed.get(path) ?? 0)) return undefined
    removed.delete(path)
    return patchMessage(kind, is)
  }

  return {
    begin(content) {
      sent ??= content.ruleset
    },
    next({ ruleset }, only) {
      const before = sent
      sent = ruleset
      const messages = only && before && parts(before, ruleset, only)
      if (messages) {
        const text = messages.join('')
        return text === '' ? undefined : { chunk: new TextEncoder().encode(text), whole: false }
      }
      if (before && payloads.of(before).text === payloads.of(ruleset).text) return undefined
      removed.clear()
      return { chunk: payloads.of(ruleset).put, whole: true }
    },
    forget() {
      sent = undefined
      removed.clear()
    },
  }
}
