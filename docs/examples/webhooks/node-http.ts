import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { verifyWebhook } from '@halyard/core/webhooks'
import { handleChange } from './handle-change.ts'

const limit = 1024 * 1024

export const server = createServer((request, response) => {
  receive(request, response).catch(() => response.destroy())
})

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > limit) throw new Error('too large')
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  const { headers } = request
  const result = await verifyWebhook({ secret: process.env.WEBHOOK_SECRET, headers, body, now: Date.now() })
  if (result.verified) await handleChange(result.id, JSON.parse(body.toString()))
  response.writeHead(result.verified ? 204 : 401).end()
}
