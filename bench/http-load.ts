import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface Load {
  readonly port: number
  /**
   * The request as it goes over the wire. In it `{number}` stands for the request's own number in eight digits, and
   * `{hundredth}` for its last two.
   */
  readonly request: string
  /** The number of the first request. Default 0. */
  readonly first?: number
  /** How many requests there are at most; when all are answered, that is it. Default: as many as fit into the time. */
  readonly most?: number
  readonly connections: number
  /** Requests that are under way on each connection. */
  readonly pipelined: number
  readonly ms: number
}

/** What a load came to. */
export interface Loaded {
  readonly perSecond: number
  /** Requests that were sent; the numbers after `first` that may be in use. */
  readonly sent: number
}

/** Somebody in another process who asks a server on this machine for the same again and again. */
export interface LoadMaker extends Disposable {
  /**
   * Resolves with answers per second.
   *
   * @throws Error when an answer was no success.
   */
  measure(load: Load): Promise<number>
  /** The same, with how many requests went out. */
  load(load: Load): Promise<Loaded>
}

export function loadMaker(): LoadMaker {
  const child = fork(new URL('http-load-process.ts', import.meta.url))
  async function load(given: Load): Promise<Loaded> {
    child.send(given)
    const [{ failures, firstFailure, ...loaded }] = (await once(child, 'message')) as [
      Loaded & { failures: number; firstFailure: string },
    ]
    if (failures > 0) throw new Error(`${failures} answers were no success: ${firstFailure}`)
    return loaded
  }
  return {
    load,
    measure: async (given) => (await load(given)).perSecond,
    [Symbol.dispose]: () => void child.kill(),
  }
}
