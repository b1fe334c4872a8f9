import { ApiError } from './errors.ts'

/** How often something is tried before what hinders it counts as lasting. */
const mostTakes = 20

/**
 * Does something that may be refused.
 *
 * @param takes how often it was tried, this time included.
 * @returns why it was refused, in a sentence that can be shown; undefined where it was done.
 * @throws ApiError for what another time may let pass: a lost race, or storage that does not answer.
 */
export async function whyRefused(work: () => Promise<unknown>, takes: number): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError) || (isPassing(error) && takes < mostTakes)) throw error
    const faults = error.errors?.map(({ attribute, reason }) => `${attribute} ${reason}`)
    return faults?.join('; ') ?? error.message
  }
}

function isPassing({ code }: ApiError): boolean {
  return code === 'optimistic_locking_error' || code === 'service_unavailable' || code === 'internal_error'
}
