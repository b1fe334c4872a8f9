import type { Audience } from '../../operation/audience.ts'
import type { Host } from '../../operation/context.ts'
import type { DecodedCall } from '../../pipeline/call-state.ts'
import type { Writing } from '../../pipeline/execute-parts.ts'
import { servedKeyGuard } from '../../resources/served-keys.ts'
import { series } from '../../storage/collection.ts'
import type { AccountStorage, Sample } from '../../storage/port.ts'

/** The calls that have changed a branch. A merge repeats these calls. */
export const journal = series({ name: 'halyard-branch-call', address: 'acct' })

/** A call that has changed a branch. */
export interface JournaledCall {
  readonly operation: string
  /** The input of the call in process; null when the call cannot be repeated. */
  readonly input: Readonly<Record<string, unknown>> | null
  /** The ids and random bytes that were generated for the call. Later calls may refer to them. */
  readonly draws: readonly string[]
}

/**
 * Returns the parts with which a branch writes. Each commit of a call contains an entry of the journal. Nothing is
 * notified and no hook is called, because a change of a branch may never be merged; changes need no approval before the
 * merge.
 */
export function journalingWriting(writing: Writing): Writing {
  return {
    ...writing,
    hooks: undefined,
    guard: servedKeyGuard,
    audience: () => async () => {},
    write(parts, current, call, options) {
      const { host, drawn, restart } = recordingHost(parts.options.host)
      const recorded = { ...parts, options: { ...parts.options, host } }
      const audience: Audience = (reads) => {
        // `audience` is called each time that the handler begins to run, so ids and random bytes of an earlier run are
        // discarded here.
        restart()
        const notify = current.audience(reads)
        return async (tx, entry, selects) => {
          tx.append(journal, {}, [journalEntry(call, entry, drawn)])
          await notify(tx, entry, selects)
        }
      }
      return writing.write(recorded, { ...current, audience }, call, { ...options, notifies: true })
    },
  }
}

function journalEntry({ operation, input }: DecodedCall, { id, at }: Sample, drawn: readonly string[]): Sample {
  const isRepeatable = operation.body?.kind !== 'upload' && input !== undefined
  const body: JournaledCall = {
    operation: operation.id,
    input: isRepeatable ? JSON.parse(JSON.stringify(input)) : null,
    draws: [...drawn],
  }
  return { id, at, label: operation.id, values: [], body }
}

/** Wraps a host so that its ids and random bytes are recorded. */
function recordingHost(host: Host) {
  const drawn: string[] = []
  const record = (text: string) => {
    drawn.push(text)
    return text
  }
  return {
    host: {
      ...host,
      newId: () => record(host.newId()),
      randomHex: (bytes: number) => record(host.randomHex(bytes)),
    } satisfies Host,
    drawn,
    restart: () => void drawn.splice(0),
  }
}

/** Number of entries that are read in one request. */
const pageSize = 100

/** Reads all calls of a branch in their order. */
export async function readJournal(branch: Pick<AccountStorage, 'newest'>): Promise<JournaledCall[]> {
  const id = journal.id({})
  const calls: JournaledCall[] = []
  let before: { readonly at: number; readonly id: string } | undefined
  for (;;) {
    const page = await branch.newest({ series: id, limit: pageSize, ...(before && { before }) })
    // Cast: only `journalingWriting` appends to the series.
    calls.push(...page.map(({ body }) => body as JournaledCall))
    const last = page.at(-1)
    if (!last || page.length < pageSize) return calls.reverse()
    before = { at: last.at, id: last.id }
  }
}
