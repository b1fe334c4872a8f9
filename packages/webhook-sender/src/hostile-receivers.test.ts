import type { WebhookMessage } from '@halyard/core/webhooks'
import { describe, expect, it } from 'vitest'
import { messageTo, privateSender, reasonOfFailure, secret } from './test/messages.ts'
import { httpReceiver, receiverSending, receiverSendingAndClosing, tcpReceiver } from './test/receivers.ts'

const timeoutReason = 'The receiver did not respond in time.'
const closedReason = 'The receiver closed the connection before it responded.'
const invalidHttpReason = 'The response of the receiver is not valid HTTP.'
const headersTooLargeReason = 'The headers of the response are larger than 16 KiB.'

/**
 * A timeout that tests can wait for, and the duration within which it must take effect, which is shorter than the
 * default timeout. Both in ms.
 */
const timeoutMs = 300
const maxDurationMs = 4_500

const ok = 'HTTP/1.1 200 OK\r\n'

/** Makes a receiver that sends one byte at a time, forever. */
const slowReceiver = (start: string, byte: string) =>
  tcpReceiver((socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(byte), 20)
    socket.on('close', () => clearInterval(timer))
  })

async function withinTimeLimit<T>(promise: Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await promise
  expect(performance.now() - started).toBeLessThan(maxDurationMs)
  return result
}

describe('a slow receiver', () => {
  it.each([
    ['says nothing', () => tcpReceiver()],
    ['stops within the status line', () => receiverSending('HTTP/1.1 2')],
    ['stops within the headers', () => receiverSending(`${ok}x-a: 1\r\n`)],
    ['sends its headers byte by byte', () => slowReceiver(`${ok}x-a: `, 'a')],
    ['sends its status line byte by byte', () => slowReceiver('HTTP/1.1 200 ', 'O')],
    ['sends 100 Continue forever', () => slowReceiver('', 'HTTP/1.1 100 Continue\r\n\r\n')],
  ])('that %s leads to a failure after the timeout of the message', async (_, receive) => {
    const receiver = await receive()
    expect(reasonOfFailure(await withinTimeLimit(privateSender()(messageTo(receiver.url, { timeoutMs }))))).toBe(
      timeoutReason,
    )
  })

  it('that sends its body byte by byte counts as a response with the bytes received before the timeout', async () => {
    const receiver = await slowReceiver(`${ok}content-length: 100000\r\n\r\n`, 'b')
    const outcome = await withinTimeLimit(privateSender()(messageTo(receiver.url, { timeoutMs })))
    expect(outcome).toMatchObject({ outcome: 'answered', status: 200, body: expect.stringMatching(/^b+$/) })
  })

  it('that stops within its body counts as a response with the bytes received so far', async () => {
    const receiver = await receiverSending(`${ok}content-length: 100\r\n\r\nhalf`)
    const outcome = await withinTimeLimit(privateSender()(messageTo(receiver.url, { timeoutMs })))
    expect(outcome).toMatchObject({ outcome: 'answered', status: 200, body: 'half' })
  })

  it('whose name does not resolve leads to a failure after the timeout', async () => {
    const send = privateSender({ resolve: () => new Promise(() => {}) })
    expect(reasonOfFailure(await withinTimeLimit(send(messageTo('http://hooks.test/', { timeoutMs }))))).toBe(
      timeoutReason,
    )
  })

  it('that does not read a large message leads to a failure after the timeout', async () => {
    const receiver = await tcpReceiver((socket) => void socket.pause())
    const message = messageTo(receiver.url, { timeoutMs, body: 'x'.repeat(30_000_000) })
    expect(reasonOfFailure(await withinTimeLimit(privateSender()(message)))).toBe(timeoutReason)
  })

  it('that responds late, but within the timeout, is a success', async () => {
    const receiver = await httpReceiver((_, response) => void setTimeout(() => response.end('late'), 200))
    const outcome = await privateSender()(messageTo(receiver.url))
    expect(outcome).toMatchObject({ status: 200, body: 'late' })
  })
})

describe('a receiver that violates HTTP', () => {
  it.each([
    ['closes the connection immediately', () => tcpReceiver((socket) => void socket.end()), closedReason],
    ['resets the connection immediately', () => tcpReceiver((socket) => void socket.resetAndDestroy()), closedReason],
    ['closes the connection within the status line', () => receiverSendingAndClosing('HTTP/1.1 2'), closedReason],
    ['closes the connection within the headers', () => receiverSendingAndClosing(`${ok}x-a: 1\r\n`), closedReason],
    ['sends another protocol', () => receiverSending('220 mail.example.com ESMTP\r\n'), invalidHttpReason],
    ['sends binary data', () => receiverSending(Buffer.from([0, 255, 13, 10, 13, 10])), invalidHttpReason],
    ['sends an unknown HTTP version', () => receiverSending('HTTP/9.9 200 OK\r\n\r\n'), invalidHttpReason],
    ['sends a status that is not a number', () => receiverSending('HTTP/1.1 OK\r\n\r\n'), invalidHttpReason],
    [
      'sends two content lengths',
      () => receiverSending(`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\n`),
      invalidHttpReason,
    ],
    ['sends a NUL in a header', () => receiverSending(`${ok}x: \0\r\n\r\n`), invalidHttpReason],
    ['sends one huge header', () => receiverSending(`${ok}x: ${'a'.repeat(20_000)}`), headersTooLargeReason],
    [
      'sends too many headers',
      () => receiverSending(ok, ...Array.from({ length: 1_000 }, (_, i) => `x-${i}: aaaaaaaaaaaa\r\n`)),
      headersTooLargeReason,
    ],
    ['sends a huge status line', () => receiverSending(`HTTP/1.1 200 ${'a'.repeat(40_000)}`), headersTooLargeReason],
    [
      'switches to another protocol',
      () => receiverSending('HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      closedReason,
    ],
  ])('and %s leads to a failure', async (_, receive, reason) => {
    const receiver = await receive()
    expect(await privateSender()(messageTo(receiver.url))).toEqual({ outcome: 'failed', reason })
  })

  it('a port without a listener leads to a failure', async () => {
    const outcome = await privateSender()(messageTo('http://127.0.0.1:1/'))
    expect(reasonOfFailure(outcome)).toBe('The receiver refused the connection.')
  })

  it.each([
    ['closes the connection within its body', () => receiverSendingAndClosing(`${ok}content-length: 100\r\n\r\nhalf`)],
    [
      'sends invalid chunks',
      () => receiverSendingAndClosing(`${ok}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nzzz\r\n`),
    ],
  ])('and after valid headers %s counts as a response with the bytes received so far', async (_, receive) => {
    const receiver = await receive()
    const outcome = await privateSender()(messageTo(receiver.url))
    expect(outcome).toMatchObject({ outcome: 'answered', status: 200, body: 'half' })
  })
})

describe('a long response', () => {
  it('is read up to 64 KiB, and the connection is then closed', async () => {
    let written = 0
    const receiver = await httpReceiver((_, response) => {
      const writeMore = () => {
        while (!response.destroyed && response.write('c'.repeat(16_384))) written += 16_384
      }
      response.on('drain', writeMore)
      writeMore()
    })
    const outcome = await privateSender()(messageTo(receiver.url))
    expect(outcome).toMatchObject({ outcome: 'answered', status: 200, body: 'c'.repeat(1024) })
    // More than 64 KiB, because of the buffers on both ends.
    expect(written).toBeLessThan(16 * 1024 * 1024)
  })

  it('is truncated to 1,024 characters, at a character boundary', async () => {
    const receiver = await httpReceiver((_, response) => void response.end(`a${'😀'.repeat(2_000)}`))
    const outcome = await privateSender()(messageTo(receiver.url))
    expect(outcome).toMatchObject({ body: `a${'😀'.repeat(1023)}` })
  })

  it('that is not UTF-8 is decoded with replacement characters', async () => {
    const receiver = await httpReceiver((_, response) => void response.end(Buffer.from([0xff, 0x61, 0xc3])))
    expect(await privateSender()(messageTo(receiver.url))).toMatchObject({ body: '\ufffda\ufffd' })
  })
})

describe('the reason of a failure', () => {
  it('contains nothing of the message, the URL or the network', async () => {
    const receivers = await Promise.all([tcpReceiver((socket) => void socket.end()), receiverSending('what?')])
    const urls = [
      ...receivers.map(({ url }) => `${url}token-in-path?token=${secret}`),
      `http://user:${secret}@127.0.0.1:1/${secret}`,
      `http://${secret}.test/`,
      `ftp://${secret}/`,
      `:${secret}`,
    ]
    const resolve = async (name: string) => Promise.reject(new Error(`no ${name}`))
    for (const url of urls) {
      const reason = reasonOfFailure(await privateSender({ resolve })(messageTo(url)))
      expect(reason).toMatch(/^The [a-zA-Z ]+\.$/)
      expect(reason).not.toContain(secret)
    }
  })

  it.each<Partial<WebhookMessage>>([
    { headers: { 'x-a': `${secret}\r\nx-b: 1` } },
    { headers: { 'x\0': secret } },
    { headers: { 'x-a': '\u{1f600}' } },
  ])('is that the message cannot be sent over HTTP, for %j', async (writeMore) => {
    const receiver = await tcpReceiver()
    const outcome = await privateSender()(messageTo(receiver.url, writeMore))
    expect(reasonOfFailure(outcome)).toBe('The message cannot be sent over HTTP.')
    expect(receiver.connections()).toBe(0)
  })
})
