import type { Audience } from '../../operation/audience.ts'
import type { Host } from '../../operation/context.ts'
import type { Writing } from '../../pipeline/execute-parts.ts'
import { series } from '../../storage/collection.ts'
import type { AccountStorage } from '../../storage/port.ts'

/** The calls that have changed a branch. A merge calls them again. */
export const journal = series({ name: 'halyard-branch-call', address: 'acct' })

/** A call that has changed a branch. */
export interface JournaledCall {
  readonly operation: string
  /** The input of the call in process; undefined when it cannot be called again. */
  readonly input: Readonly<Record<string, unknown>> | undefined
  /** The ids and random bytes that the call was given, which a later call may refer to. */
  readonly draws: readonly string[]
}

/**
 * Returns the parts with which a branch writes. Each commit of a call contains an entry of the journal. Nothing is
 * notified, because a webhook or a destination must not receive a change that may never be merged.
 */
export function journalingWriting(writing: Writing): Writing {
  return {
    ...writing,
    hooks: undefined,
    write(parts, _, call, options) {
      const { host, drawn, restart } = recordingHost(parts.options.host)
      const audience: Audience = () => {
        restart()
        return async (tx, { id, at }) => {
          const { operation, input } = call
          const body: JournaledCall = {
            operation: operation.id,
            input:
              operation.body?.kind === 'upload' || input === undefined ? undefined : JSON.parse(JSON.stringify(input)),
            draws: [...drawn],
          }
          tx.append(journal, {}, [{ id, at, label: operation.id, values: [], body }])
        }
      }
      const recorded = { ...parts, options: { ...parts.options, host } }
      // The audience is made when a run begins.
      return writing.write(recorded, { ...writing, hooks: undefined, audience }, call, { ...options, notifies: true })
    },
  }
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

/** Wraps a host so that it returns recorded ids and random bytes, in their order, as long as there are any. */
export function replayingHost(host: Host, draws: readonly string[]): Host {
  const remaining = [...draws]
  return {
    ...host,
    newId: () => remaining.shift() ?? host.newId(),
    randomHex: (bytes) => {
      // A draw of another length belongs to an id: the call has taken another path than in the branch.
      const isNext = remaining[0]?.length === bytes * 2
      return (isNext ? remaining.shift() : undefined) ?? host.randomHex(bytes)
    },
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
