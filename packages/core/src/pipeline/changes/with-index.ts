import type { ListedCall } from '../../operation/change-list.ts'
import { ApiError } from '../../operation/errors.ts'

/** Rejects as `work` does, with the position and the operation in the message and in the attribute of each error. */
export async function withIndex<T>(position: string, call: ListedCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, status, conflicts, referrers, headers, explanation, body, cause } = error
    throw new ApiError(code, {
      message: `${position} (${call.operation}): ${body.message}`,
      status,
      headers,
      cause,
      ...(error.errors && {
        errors: error.errors.map(({ attribute, reason }) => ({
          attribute: `${position}.${partOf(call, attribute)}`,
          reason,
        })),
      }),
      ...(conflicts && { conflicts }),
      ...(referrers && { referrers }),
      ...(explanation !== undefined && { explanation }),
    })
  }
}

/** Returns the path of a part of the input of a call. */
function partOf({ parameters = {}, body }: ListedCall, attribute: string): string {
  const container = body === undefined || Object.hasOwn(parameters, attribute) ? 'parameters' : 'body'
  return attribute === '' ? container : `${container}.${attribute}`
}
