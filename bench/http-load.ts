import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface Load {
  readonly port: number
  /**
   * Text of the request. In it `{number}` is replaced with the number of the request in eight digits, and `{hundredth}`
   * with its last two.
   */
  readonly request: string
  /** Number of the first request. Default 0. */
  readonly first?: number
  /**
   * Maximum number of requests. The load ends when all of them have a response. Default: as many as fit into the time.
   */
  readonly limit?: number
  readonly connections: number
  /** Number of pipelined requests on each connection. */
  readonly pipelined: number
  readonly ms: number
}

/** Result of a load. */
export interface LoadResult {
  readonly perSecond: number
  /** Number of requests that were sent; numbers from `first` on may be in use. */
  readonly sent: number
}

/** A process that sends the same request to a server on this machine again and again. */
export interface LoadGenerator extends Disposable {
  /**
   * Resolves with the number of responses per second.
   *
   * @throws Error when a response was not a success.
   */
  measure(load: Load): Promise<number>
  /** Runs a load and also returns the number of requests sent. */
  load(load: Load): Promise<LoadResult>
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(new URL('http-load-process.ts', import.meta.url))
  async function load(options: Load): Promise<LoadResult> {
    child.send(options)
    const [{ failures, firstFailure, ...result }] = (await once(child, 'message')) as [
      LoadResult & { failures: number; firstFailure: string },
    ]
    if (failures > 0) {
      const [request] = options.request.split(' HTTP/')
      throw new Error(`${failures} responses to ${request} were not successful: ${firstFailure}`)
    }
    return result
  }
  return {
    load,
    measure: async (options) => (await load(options)).perSecond,
    [Symbol.dispose]: () => void child.kill(),
  }
}
