import type { AccountStorage, StoredRecord } from '@halyard/core/storage'

/** The series of samples that the dump cases use. */
export const series = { name: 'log', scope: 'acct' }

/** Returns the chunks of a whole dump. */
export async function chunksOf(account: AccountStorage): Promise<(readonly StoredRecord[])[]> {
  const chunks: (readonly StoredRecord[])[] = []
  for await (const chunk of account.dump()) chunks.push(chunk)
  return chunks
}

/** Returns the records of a whole dump. */
export async function recordsOf(account: AccountStorage): Promise<StoredRecord[]> {
  return (await chunksOf(account)).flat()
}
