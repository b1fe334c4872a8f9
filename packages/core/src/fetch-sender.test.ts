import { expect, it } from 'vitest'
import { fetchSender } from './entries/webhooks.ts'
import { openReceiver } from './resources/webhooks/test/receiver.ts'

const message = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 300 })
const send = fetchSender({ allowPrivate: true })

it('fetchSender sends a POST request, and returns the status and the beginning of the response', async () => {
  const receiver = await openReceiver()
  receiver.response = { status: 201, body: 'é'.repeat(3_000) }
  expect(await send(message(receiver.url))).toEqual({
    outcome: 'answered',
    status: 201,
    body: 'é'.repeat(1_024),
    ms: expect.any(Number),
  })
  expect(receiver.received).toMatchObject([
    { path: '/hook', body: '{}', headers: { 'content-type': 'application/json' } },
  ])
})

it('fetchSender returns Retry-After, and does not follow redirects', async () => {
  const [receiver, redirectTarget] = [await openReceiver(), await openReceiver()]
  receiver.response = { status: 503, headers: { 'retry-after': '7' } }
  expect(await send(message(receiver.url))).toMatchObject({ status: 503, retryAfter: '7' })
  receiver.response = { status: 307, headers: { location: redirectTarget.url } }
  expect(await send(message(receiver.url))).toMatchObject({ outcome: 'answered', status: 307 })
  expect(redirectTarget.received).toEqual([])
})

it('fetchSender fails after the timeout or an abort, without details of the URL', async () => {
  const receiver = await openReceiver()
  receiver.response = 'hang'
  const url = `${receiver.url}?key=hidden`
  expect(await send(message(url))).toEqual({ outcome: 'failed', reason: 'No response within 300 ms.' })
  expect(await send({ ...message(url), signal: AbortSignal.abort() })).toMatchObject({ outcome: 'failed' })
  const outcome = await send(message('http://127.0.0.1:1/?key=hidden'))
  expect(outcome).toEqual({ outcome: 'failed', reason: 'No connection.' })
})

it.each(['http://127.0.0.1:9/', 'http://localhost/', 'http://[::1]/', 'http://2130706433/', 'http://169.254.169.254/'])(
  'fetchSender rejects %s unless private networks are allowed',
  async (url) => {
    const reason = 'The URL leads to a private network.'
    expect(await fetchSender()(message(url))).toEqual({ outcome: 'failed', reason, refused: true })
  },
)

it.each(['ftp://example.com/', 'file:///etc/passwd', 'no url', 'http://user:pass@example.com/'])(
  'fetchSender rejects %s',
  async (url) => {
    expect(await send(message(url))).toMatchObject({ outcome: 'failed', refused: true })
  },
)
