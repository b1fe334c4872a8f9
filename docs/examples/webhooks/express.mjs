import { verifyWebhook } from '@halyard/core/webhooks'
import express from 'express'
import { handleChange } from './handle-change.ts'

export const app = express()

// The signature covers the raw bytes of the body, so no JSON parser may run before this handler.
app.post('/hooks/flags', express.raw({ type: '*/*', limit: '1mb' }), async (req, res) => {
  const result = await verifyWebhook({
    secret: process.env.WEBHOOK_SECRET,
    headers: req.headers,
    body: req.body,
    now: Date.now(),
  })
  if (!result.verified) {
    res.status(401).send(result.reason)
    return
  }
  await handleChange(result.id, JSON.parse(req.body))
  res.sendStatus(204)
})
