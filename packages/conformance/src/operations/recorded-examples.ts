import type { EngineInput } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import type { TransportHarness } from '../transport/transport-harness.ts'
import type { Example } from './example.ts'
import { requestOf, withHeaders } from './operation-fixture.ts'
import { bodyOf, openRestorableAccount } from './restorable-account.ts'

/** A successful call of an operation with its response. */
export interface RecordedExample extends Example {
  readonly status: number
  /** Headers of the response by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The body of the response: a JSON value, the text when it is not JSON, or undefined when there is no body. */
  readonly response: unknown
  /**
   * True when the operation is refused with an `If-Match` that names a version that the resource does not have
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
   */
  readonly supportsIfMatch: boolean
}

/**
 * Calls every operation with its example of the conformance run. Each call has a new account in memory, with a fixed
 * clock, so an operation's example is the same every time, whatever other operations exist.
 *
 * @param harness transport of the recorded calls. Without it, they are made in process. The calls that set up examples
 *   are made in process.
 * @param input options of the engine that replace the default ones of the suite, e.g. `wire`.
 * @returns the examples by the operations' ids.
 * @throws AssertionError when an operation has no example, or does not succeed.
 *
 * @example
 * ```ts
 * import { recordExamples } from '@halyard/conformance'
 *
 * const examples = await recordExamples()
 * console.log('getTeam' in examples) // true
 * ```
 */
export async function recordExamples(
  harness?: TransportHarness,
  input: Partial<EngineInput> = {},
): Promise<Readonly<Record<string, RecordedExample>>> {
  const account = await openRestorableAccount(harness, input)
  async function record(operation: Operation): Promise<RecordedExample> {
    const example = await account.exampleOf(operation, account.newContext())
    const request = requestOf(operation, example)
    const restore = account.saveState()
    const response = await account.send(request)
    const recorded = {
      ...example,
      status: response.status,
      headers: response.headers,
      response: bodyOf(operation, response),
    }
    if (operation.method === 'GET') return { ...recorded, supportsIfMatch: false }
    restore()
    const { status } = await account.send(withHeaders(request, { 'if-match': '"no-such-version"' }))
    return { ...recorded, supportsIfMatch: status === 409 }
  }

  const restoreEmpty = account.saveState()
  const recorded: Record<string, RecordedExample> = {}
  try {
    for (const operation of account.engine.operations) {
      restoreEmpty()
      recorded[operation.id] = await record(operation)
    }
    return recorded
  } finally {
    await account.close()
  }
}
