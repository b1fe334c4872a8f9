import { startChild } from './child.ts'
import type { Program } from './program.ts'

export interface ServedResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** An engine that an HTTP server serves in a process of its own. */
export interface ServedEngine {
  readonly pid: number
  /** Address of the server, e.g. `http://127.0.0.1:4180`. */
  readonly address: string
  /** Sends a request. Rejects with a TypeError when the connection breaks. */
  send(method: string, path: string, options?: Request): Promise<ServedResponse>
  /** Sends SIGKILL; the connections of running requests break. */
  kill(): Promise<void>
  /** Returns true once `kill` was called: from then on no response is expected. */
  readonly killed: () => boolean
}

interface Request {
  readonly token?: string
  readonly body?: unknown
  readonly ifMatch?: string
  /** Media type of the body; default JSON. */
  readonly type?: string
}

/** File of the command `halyard`, from the top of the repository. */
export const halyardFile = 'packages/cli/src/main.ts'

/**
 * Starts `halyard serve` on a free port, as in production.
 *
 * @param halyard the program of `halyardFile`.
 * @param options further options of the command.
 */
export function serveHalyard(
  halyard: Program,
  storage: string,
  token: string,
  options: readonly string[] = [],
): Promise<ServedEngine> {
  const args = ['serve', '--port', '0', '--storage', storage, '--token', token, '--log', 'off', ...options]
  return startServer(halyard, args, token)
}

/** Starts a program that prints `serves <address>` when it is ready. */
export async function startServer(program: Program, args: readonly string[], token: string): Promise<ServedEngine> {
  const child = startChild(program, args)
  const [, address] = await child.printed(/serves (http:\/\/\S+)\s/)
  let killed = false
  return {
    pid: child.pid,
    address: address as string,
    killed: () => killed,
    kill() {
      killed = true
      return child.kill()
    },
    async send(method, path, { token: requestToken = token, body, ifMatch, type = 'application/json' } = {}) {
      const headers = {
        authorization: requestToken,
        ...(body === undefined ? {} : { 'content-type': type }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      }
      const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }
      const response = await fetch(`${address}${path}`, init)
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
    },
  }
}
