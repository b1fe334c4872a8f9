import { verifyWebhook } from '@halyard/core/webhooks'
import { handleChange } from './handle-change.ts'

export async function receive(request: Request): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer())
  const { headers } = request
  const result = await verifyWebhook({ secret: process.env.WEBHOOK_SECRET, headers, body, now: Date.now() })
  if (!result.verified) return new Response(result.reason, { status: 401 })
  await handleChange(result.id, JSON.parse(new TextDecoder().decode(body)))
  return new Response(null, { status: 204 })
}
