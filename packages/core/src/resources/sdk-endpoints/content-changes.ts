import type { Ruleset } from '../../rules/evaluation/index.ts'
import { type DataKind, deleteMessage, patchMessage } from '../../rules/sdk-protocol/server-messages.ts'
import type { EvaluatedContent } from '../evaluation/evaluated-content.ts'
import type { HeldChange } from '../evaluation/held-environment.ts'
import type { Payloads } from './payloads.ts'

/** What server-side SDKs are sent when the content of an environment has changed. */
export interface ContentChanges {
  /** Says what those who begin now were sent. */
  begin(content: EvaluatedContent): void
  /** The events that lead from what was sent to what is now; undefined where nothing differs. */
  next(content: EvaluatedContent, only: HeldChange['only']): SentChange | undefined
  forget(): void
}

/** The same bytes for all who are sent them. */
export interface SentChange {
  readonly chunk: Uint8Array
  /** Whether it replaces everything. */
  readonly whole: boolean
}

/** Removed things whose versions are remembered; with more of them everything is sent again. */
const mostRemoved = 1000

/** Knows of nothing that was sent at first. */
export function contentChanges(payloads: Payloads): ContentChanges {
  let sent: Ruleset | undefined
  /** By path, the version under which SDKs remember that something is gone: what comes in its place must have a higher one. */
  const removed = new Map<string, number>()

  /** Undefined where events of single things would be passed over. */
  function parts(before: Ruleset, now: Ruleset, only: NonNullable<HeldChange['only']>): string[] | undefined {
    const messages: string[] = []
    // Segments first: a flag that comes may ask for one that comes with it.
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
