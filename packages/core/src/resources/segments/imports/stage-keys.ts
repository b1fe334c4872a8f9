import type { Context } from '../../../operation/context.ts'
import { type KeyFileReader, keyFileReader } from '../../../rules/key-file/key-file.ts'
import type { Writer } from '../../../storage/writer.ts'
import { type ImportTurn, importTurns, isLive, turnOf } from './import-turn.ts'
import { type ImportKeys, segmentImports, stagedKeys } from './segment-import.ts'
import { keysHeld, keysStored, type StagedKeys } from './staged-keys.ts'

/** Maximum number of keys in one import. */
const mostKeys = 1_000_000

/** Number of keys that are buffered before a commit: enough to make the commit worthwhile. */
const held = 10_000

type ImportContext = Context<Writer, 'invalid_request' | 'optimistic_locking_error'>

/**
 * Reads a file of keys and stores them in a staging set, where they have no effect yet. The keys of a short file are
 * stored by the commit of the operation. A longer file needs several commits: it acquires the import lock of the
 * environment, and releases it and deletes the staged keys when the call fails.
 *
 * @throws ApiError `optimistic_locking_error` while another import holds the lock, or once it has acquired it;
 *   `invalid_request` that names each line that is not a valid key.
 */
export async function stageKeys(
  context: ImportContext,
  keys: ImportKeys,
  file: AsyncIterable<Uint8Array>,
): Promise<StagedKeys> {
  const { tx } = context
  const reader = keyFileReader(mostKeys)
  let waiting = new Set<string>()
  let turn = await freeTurn(context, keys)
  let stored = false
  const store = async () => {
    turn = stored ? await storeMore(context, keys, turn, waiting) : await storeFirst(context, keys, turn, waiting)
    waiting = new Set()
    stored = true
  }
  for await (const bytes of file) {
    for (const key of reader.push(bytes)) waiting.add(key)
    if (reader.full) refuseFaults(context, reader)
    if (waiting.size >= held && reader.faults.length === 0) await store()
  }
  for (const key of reader.end()) waiting.add(key)
  refuseFaults(context, reader)
  if (!stored) {
    tx.addKeys(stagedKeys, keys, [...waiting])
    return keysHeld(tx, keys, waiting)
  }
  if (waiting.size > 0) await store()
  tx.remove(importTurns, turnOf(keys), turn as ImportTurn)
  return keysStored(tx, keys)
}

function refuseFaults({ fail }: ImportContext, { faults }: KeyFileReader): void {
  if (faults.length > 0) fail('invalid_request', { errors: faults })
}

/** Returns the lock that a previous import left without releasing it; undefined when there is none. */
async function freeTurn(context: ImportContext, keys: ImportKeys): Promise<ImportTurn | undefined> {
  const { tx, fail } = context
  const host = context.useHost()
  const turn = await tx.get(importTurns, turnOf(keys))
  if (isLive(turn, host)) {
    fail('optimistic_locking_error', { message: `Keys are being imported into the segment ${turn.segmentKey}` })
  }
  return turn
}

function storeFirst(context: ImportContext, keys: ImportKeys, left: ImportTurn | undefined, found: Set<string>) {
  const { fail } = context
  const host = context.useHost()
  const place = turnOf(keys)
  const refused = () =>
    fail('optimistic_locking_error', { message: 'Another import has started in the environment concurrently' })
  const take = (tx: Writer) => {
    const mine = { importId: keys.importId, segmentKey: keys.segmentKey, touchedAt: host.now() }
    // The previous import ended without deleting its staged keys.
    if (left) tx.clear(segmentImports.address.address({ ...keys, ...left }))
    const turn = left ? tx.follow(importTurns, place, left, { ...left, ...mine }) : tx.insert(importTurns, place, mine)
    tx.addKeys(stagedKeys, keys, [...found])
    return turn
  }
  const undo = async (tx: Writer) => {
    const turn = await tx.get(importTurns, place)
    tx.clear(segmentImports.address.address(keys))
    if (turn?.importId === keys.importId) tx.remove(importTurns, place, turn)
  }
  return context.tx.stage(take, { refused, undo })
}

/** Stores more keys and renews the lock. An import that lost its lock stores nothing more. */
function storeMore(context: ImportContext, keys: ImportKeys, turn: ImportTurn | undefined, found: Set<string>) {
  const refused = () => context.fail('optimistic_locking_error', { message: 'The import was stopped' })
  const add = (tx: Writer) => {
    tx.addKeys(stagedKeys, keys, [...found])
    const before = turn as ImportTurn
    return tx.follow(importTurns, turnOf(keys), before, { ...before, touchedAt: context.useHost().now() })
  }
  return context.tx.stage(add, { refused })
}
