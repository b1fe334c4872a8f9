import { type Agent, type IncomingMessage, request as open } from 'node:http'
import { bodyChunks, type TransportRequest, type TransportResponse } from '@halyard/conformance'

/** Sends a request unchanged to a server on this machine, over a connection of the agent. */
export function sendOverSocket(request: TransportRequest, port: number, agent: Agent): Promise<TransportResponse> {
  const { method, path, headers = {}, chunked } = request
  const pieces = bodyChunks(request)
  const length = pieces.length > 0 && !chunked ? { 'content-length': String(pieces[0]?.byteLength) } : {}
  return new Promise((resolve, reject) => {
    const outgoing = open(
      { host: '127.0.0.1', port, agent, method, path, headers: { ...headers, ...length } },
      (incoming) => readResponse(incoming).then(resolve, reject),
    )
    outgoing.on('error', reject)
    if (chunked) outgoing.setHeader('transfer-encoding', 'chunked')
    for (const bodyChunk of pieces) outgoing.write(bodyChunk)
    outgoing.end()
  })
}

async function readResponse(incoming: IncomingMessage): Promise<TransportResponse> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString(),
  }
}
