import type { Storage } from '../port.ts'

/** Collection of the documents that list the branches of an account. */
export const branchEntries = 'halyard-branch'

/** Maximum number of branches of an account. */
export const maxBranches = 1000

/**
 * Returns the account that lists the branches of an account.
 *
 * @param hashOfAccount SHA-256 of the name of the account, in hex: a name has up to 256 characters.
 */
export function branchIndexAccount(hashOfAccount: string): string {
  return `halyard-branches:${hashOfAccount}`
}

/** Returns the account with the rows of a branch. */
export function branchAccount(hashOfAccount: string, name: string): string {
  return `halyard-branch:${hashOfAccount}:${name}`
}

/**
 * Returns the names of the branches of an account, sorted. Includes branches that have expired and were not deleted
 * yet.
 *
 * @param hashOfAccount SHA-256 of the name of the account, in hex.
 */
export async function branchNames(storage: Pick<Storage, 'account'>, hashOfAccount: string): Promise<string[]> {
  const query = { collection: branchEntries, scope: '', limit: maxBranches, select: 'fields' } as const
  const { items } = await storage.account(branchIndexAccount(hashOfAccount)).list(query)
  return items.map(({ key }) => key)
}
