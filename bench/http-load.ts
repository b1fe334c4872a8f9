import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface Load {
  readonly port: number
  /** The request as it goes over the wire. */
  readonly request: string
  readonly connections: number
  /** Requests that are under way on each connection. */
  readonly pipelined: number
  readonly ms: number
}

/** Somebody in another process who asks a server on this machine for the same again and again. */
export interface LoadMaker extends Disposable {
  /** Resolves with answers per second. */
  measure(load: Load): Promise<number>
}

export function loadMaker(): LoadMaker {
  const child = fork(new URL('http-load-process.ts', import.meta.url))
  return {
    async measure(load) {
      child.send(load)
      const [{ perSecond, failures }] = (await once(child, 'message')) as [{ perSecond: number; failures: number }]
      if (failures > 0) throw new Error(`${failures} answers were no success`)
      return perSecond
    },
    [Symbol.dispose]: () => void child.kill(),
  }
}
