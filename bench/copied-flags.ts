import type { Change, Storage, StoredRecord } from '@halyard/core/storage'

/** Yields changes that insert copies of the flag `f` and of its documents under other keys. */
export async function* copiesOf(storage: Storage, account: string, flags: number): AsyncGenerator<Change> {
  const originals: Extract<StoredRecord, { readonly kind: 'document' }>[] = []
  for await (const chunk of storage.account(account).dump()) {
    for (const record of chunk) if (record.kind === 'document' && isOfFlag(record.id)) originals.push(record)
  }
  const size = 1_000
  for (let first = 2; first <= flags; first += size) {
    const copyKeys = Array.from({ length: Math.min(size, flags + 1 - first) }, (_, i) => `f${first + i}`)
    const records = copyKeys.flatMap((key) =>
      originals.map(
        (original): StoredRecord => JSON.parse(JSON.stringify(original, (_, value) => renamed(value, key))),
      ),
    )
    yield { do: 'load', records }
  }
}

const isOfFlag = ({ collection, scope, key }: { collection: string; scope: string; key: string }) =>
  (collection === 'flag' && key === 'f') ||
  /(^|:)flag\/f(:|$)/.test(scope) ||
  (collection === 'flag-config' && key === 'f')

/** Returns a text that names the flag `f`, with another key. */
function renamed(value: unknown, key: string): unknown {
  if (typeof value !== 'string') return value
  return value === 'f' ? key : value.replace(/(^|:)flag\/f(?=:|$)/, `$1flag/${key}`)
}
