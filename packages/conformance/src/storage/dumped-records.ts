import type { AccountStorage, StoredRecord } from '@halyard/core/storage'

/** The series of samples that are dumped. */
export const series = { name: 'log', scope: 'acct' }

/** A whole dump, in the chunks in which it came. */
export async function chunksOf(account: AccountStorage): Promise<(readonly StoredRecord[])[]> {
  const chunks: (readonly StoredRecord[])[] = []
  for await (const chunk of account.dump()) chunks.push(chunk)
  return chunks
}

/** A whole dump, record by record. */
export async function recordsOf(account: AccountStorage): Promise<StoredRecord[]> {
  return (await chunksOf(account)).flat()
}
