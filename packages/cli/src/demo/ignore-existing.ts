import type { ApiError } from '@halyard/core'

/** Ignores the error of creating something that exists, and leaves it unchanged. */
export async function ignoreExisting(create: Promise<unknown>): Promise<void> {
  try {
    await create
  } catch (error) {
    if ((error as ApiError).code !== 'optimistic_locking_error') throw error
  }
}
