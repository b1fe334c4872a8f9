import type { Context } from '../../../operation/context.ts'
import { type KeyFileReader, keyFileReader } from '../../../rules/key-file/key-file.ts'
import type { Writer } from '../../../storage/writer.ts'
import { type ImportLock, importLockKeys, importLocks, isLocked } from './import-lock.ts'
import { type ImportKeys, segmentImports, stagedKeys } from './segment-import.ts'
import { bufferedStagedKeys, type StagedKeys, storedStagedKeys } from './staged-keys.ts'

/** Maximum number of keys in one import. */
const maxKeys = 1_000_000

/** Number of keys that are buffered before a commit: enough to make the commit worthwhile. */
const keysPerCommit = 10_000

type ImportContext = Context<Writer, 'invalid_request' | 'optimistic_locking_error'>

/**
 * Reads a file of keys and stores them in a staging set, where they have no effect yet. The keys of a short file are
 * stored by the commit of the operation. A longer file needs several commits, for which the function acquires the
 * import lock of the environment. When the call fails, the lock is released and the staged keys are deleted.
 *
 * @throws ApiError `optimistic_locking_error` when another import holds the lock or has taken it over;
 *   `invalid_request` that names each line that is not a valid key.
 */
export async function stageKeys(
  context: ImportContext,
  keys: ImportKeys,
  file: AsyncIterable<Uint8Array>,
): Promise<StagedKeys> {
  const { tx } = context
  const reader = keyFileReader(maxKeys)
  let buffer = new Set<string>()
  let lock = await previousLock(context, keys)
  let stored = false
  const store = async () => {
    lock = stored
      ? await storeUnderLock(context, keys, { lock, newKeys: buffer })
      : await acquireLockAndStore(context, keys, { lock, newKeys: buffer })
    buffer = new Set()
    stored = true
  }
  for await (const bytes of file) {
    for (const key of reader.push(bytes)) buffer.add(key)
    if (reader.isStopped) refuseErrors(context, reader)
    if (buffer.size >= keysPerCommit && reader.errors.length === 0) await store()
  }
  for (const key of reader.end()) buffer.add(key)
  refuseErrors(context, reader)
  if (!stored) {
    tx.addKeys(stagedKeys, keys, [...buffer])
    return bufferedStagedKeys(tx, keys, buffer)
  }
  if (buffer.size > 0) await store()
  tx.remove(importLocks, importLockKeys(keys), lock as ImportLock)
  return storedStagedKeys(tx, keys)
}

function refuseErrors({ fail }: ImportContext, { errors }: KeyFileReader): void {
  if (errors.length > 0) fail('invalid_request', { errors })
}

/** Returns the lock that a previous import left without releasing it; undefined when there is no such lock. */
async function previousLock(context: ImportContext, keys: ImportKeys): Promise<ImportLock | undefined> {
  const { tx, fail } = context
  const host = context.useHost()
  const lock = await tx.get(importLocks, importLockKeys(keys))
  if (isLocked(lock, host)) {
    fail('optimistic_locking_error', { message: `Keys are being imported into the segment ${lock.segmentKey}` })
  }
  return lock
}

/** Keys to store, and the lock of their import; undefined without a lock. */
interface LockedKeys {
  readonly lock: ImportLock | undefined
  readonly newKeys: Set<string>
}

function acquireLockAndStore(context: ImportContext, keys: ImportKeys, { lock: previous, newKeys }: LockedKeys) {
  const { fail } = context
  const host = context.useHost()
  const lockKeys = importLockKeys(keys)
  const refused = () =>
    fail('optimistic_locking_error', { message: 'Another import has started in the environment concurrently' })
  const acquire = (tx: Writer) => {
    const ownLock = { importId: keys.importId, segmentKey: keys.segmentKey, touchedAt: host.now() }
    // An earlier import that ended abnormally has left its staged keys.
    if (previous) tx.clear(segmentImports.address.address({ ...keys, ...previous }))
    const lock = previous
      ? tx.follow(importLocks, lockKeys, previous, { ...previous, ...ownLock })
      : tx.insert(importLocks, lockKeys, ownLock)
    tx.addKeys(stagedKeys, keys, [...newKeys])
    return lock
  }
  const undo = async (tx: Writer) => {
    const lock = await tx.get(importLocks, lockKeys)
    tx.clear(segmentImports.address.address(keys))
    if (lock?.importId === keys.importId) tx.remove(importLocks, lockKeys, lock)
  }
  return context.tx.stage(acquire, { refused, undo })
}

/** Stores more keys and renews the lock. An import that lost its lock stores nothing more. */
function storeUnderLock(context: ImportContext, keys: ImportKeys, { lock, newKeys }: LockedKeys) {
  const refused = () =>
    context.fail('optimistic_locking_error', { message: 'Another call has taken over or ended this import' })
  const add = (tx: Writer) => {
    tx.addKeys(stagedKeys, keys, [...newKeys])
    const before = lock as ImportLock
    return tx.follow(importLocks, importLockKeys(keys), before, { ...before, touchedAt: context.useHost().now() })
  }
  return context.tx.stage(add, { refused })
}
