import type { Ruleset } from '../../rules/evaluation/index.ts'
import { type DataKind, deleteMessage, patchMessage } from '../../rules/sdk-protocol/server-messages.ts'
import type { ContentUpdate } from '../evaluation/cached-environment.ts'
import type { EvaluatedContent } from '../evaluation/evaluated-content.ts'
import type { Payloads } from './payloads.ts'

/** Computes the events for server-side SDKs after changes of an environment's content. */
export interface ContentChanges {
  /** Records the content that new streams receive. */
  begin(content: EvaluatedContent): void
  /** Returns the event with the changes between the last content and this content; undefined when nothing differs. */
  next(content: EvaluatedContent, only: ContentUpdate['only']): ContentEvent | undefined
  clear(): void
}

/** The bytes of the event, which are the same for all streams. */
export interface ContentEvent {
  readonly chunk: Uint8Array
  /** True when the event replaces all data. */
  readonly replacesAll: boolean
}

/** Maximum number of removed flags and segments whose versions are stored. Above it all data is sent again. */
const maxRemoved = 1000

/** The rulesets before and after a change. */
export interface RulesetChange {
  readonly before: Ruleset
  readonly after: Ruleset
}

/** Makes the state of streams that have sent nothing. */
export function contentChanges(payloads: Payloads): ContentChanges {
  let lastSent: Ruleset | undefined
  /**
   * The versions of deletions by path, as SDKs store them. A new flag or segment at a path must have a higher version.
   */
  const removed = new Map<string, number>()

  /** Returns the messages for changed flags and segments; undefined when SDKs would ignore such messages. */
  function messagesOf(before: Ruleset, after: Ruleset, only: NonNullable<ContentUpdate['only']>): string[] | undefined {
    const messages: string[] = []
    // Segments first, because a new flag may refer to a new segment.
    for (const dataKind of ['segments', 'flags'] as const) {
      for (const key of only[dataKind]) {
        const message = messageOf(dataKind, key, { before, after })
        if (message === undefined) return undefined
        messages.push(message)
      }
    }
    return removed.size > maxRemoved ? undefined : messages
  }

  function messageOf(dataKind: DataKind, key: string, { before, after }: RulesetChange): string | undefined {
    const [dataBefore, dataAfter] = [before[dataKind].get(key)?.data, after[dataKind].get(key)?.data]
    const path = `${dataKind}/${key}`
    if (!dataAfter) {
      if (!dataBefore) return ''
      const version = (dataBefore.version ?? 0) + 1
      removed.set(path, version)
      return deleteMessage(dataKind, key, version)
    }
    if (dataBefore && JSON.stringify(dataBefore) === JSON.stringify(dataAfter)) return ''
    if ((dataAfter.version ?? 0) <= (dataBefore?.version ?? removed.get(path) ?? 0)) return undefined
    removed.delete(path)
    return patchMessage(dataKind, dataAfter)
  }

  return {
    begin(content) {
      lastSent ??= content.ruleset
    },
    next({ ruleset }, only) {
      const before = lastSent
      lastSent = ruleset
      const messages = only && before && messagesOf(before, ruleset, only)
      if (messages) {
        const text = messages.join('')
        return text === '' ? undefined : { chunk: new TextEncoder().encode(text), replacesAll: false }
      }
      if (before && payloads.of(before).text === payloads.of(ruleset).text) return undefined
      removed.clear()
      return { chunk: payloads.of(ruleset).put, replacesAll: true }
    },
    clear() {
      lastSent = undefined
      removed.clear()
    },
  }
}
