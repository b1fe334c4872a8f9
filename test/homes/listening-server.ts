import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Something that is asked over HTTP. */
export interface Listening {
  readonly port: number
  stop(): Promise<void>
}

/** Waits until a server of this process listens. */
export async function listening(server: Server): Promise<Listening> {
  if (!server.listening) await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close().closeAllConnections()
      await once(server, 'close')
    },
  }
}
