import type { WebhookMessage } from '@halyard/core/webhooks'
import { describe, expect, it } from 'vitest'
import { innerSender, messageTo, reasonIn, secret } from './test/messages.ts'
import { httpReceiver, saying, sayingAtLast, tcpReceiver } from './test/receivers.ts'

const late = 'The receiver did not answer in time.'
const cut = 'The receiver closed the connection before it answered.'
const garbage = 'The receiver did not answer with HTTP.'
const large = 'The headers of the answer are larger than 16 KiB.'

/** A time-out that tests can wait for, and when it counts as kept: short of the usual one. ms */
const timeoutMs = 300
const patience = 4_500

const ok = 'HTTP/1.1 200 OK\r\n'

/** Writes one byte after the other, for ever. */
const trickling = (start: string, byte: string) =>
  tcpReceiver((socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(byte), 20)
    socket.on('close', () => clearInterval(timer))
  })

async function timed<T>(promise: Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await promise
  expect(performance.now() - started).toBeLessThan(patience)
  return result
}

describe('a receiver that takes its time', () => {
  it.each([
    ['says nothing', () => tcpReceiver()],
    ['stops in the status line', () => saying('HTTP/1.1 2')],
    ['stops in its headers', () => saying(`${ok}x-a: 1\r\n`)],
    ['trickles its headers', () => trickling(`${ok}x-a: `, 'a')],
    ['trickles its status line', () => trickling('HTTP/1.1 200 ', 'O')],
    ['says Continue for ever', () => trickling('', 'HTTP/1.1 100 Continue\r\n\r\n')],
  ])('and %s has the time-out of the message as a whole', async (_, receive) => {
    const receiver = await receive()
    expect(reasonIn(await timed(innerSender()(messageTo(receiver.url, { timeoutMs }))))).toBe(late)
  })

  it('and trickles its body has answered, and is cut', async () => {
    const receiver = await trickling(`${ok}content-length: 100000\r\n\r\n`, 'b')
    const outcome = await timed(innerSender()(messageTo(receiver.url, { timeoutMs })))
    expect(outcome).toMatchObject({ outcome: 'answered', status: 200, body: expect.stringMatching(/^b+$/) })
  })

  it('and stops in its body has answered', async () => {
    const receiver = await saying(`${ok}content-length: 100\r\n\r\nhalf`)
    const outcome = await timed(innerSender()(messageTo(receiver.url, { timeoutMs })))
    expect(outcome).toMatchObject({ outcome: 'answered', status: 200, body: 'half' })
  })

  it('in resolving its name has no more than the time-out', async () => {
    const send = innerSender({ resolve: () => new Promise(() => {}) })
    expect(reasonIn(await timed(send(messageTo('http://hooks.test/', { timeoutMs }))))).toBe(late)
  })

  it('in reading a large message has no more than the time-out', async () => {
    const receiver = await tcpReceiver((socket) => void socket.pause())
    const message = messageTo(receiver.url, { timeoutMs, body: 'x'.repeat(30_000_000) })
    expect(reasonIn(await timed(innerSender()(message)))).toBe(late)
  })

  it('but not too much has answered', async () => {
    const receiver = await httpReceiver((_, response) => void setTimeout(() => response.end('late'), 200))
    const outcome = await innerSender()(messageTo(receiver.url))
    expect(outcome).toMatchObject({ status: 200, body: 'late' })
  })
})

describe('a receiver that speaks no HTTP', () => {
  it.each([
    ['closes at once', () => tcpReceiver((socket) => void socket.end()), cut],
    ['resets at once', () => tcpReceiver((socket) => void socket.resetAndDestroy()), cut],
    ['closes in the status line', () => sayingAtLast('HTTP/1.1 2'), cut],
    ['closes in its headers', () => sayingAtLast(`${ok}x-a: 1\r\n`), cut],
    ['says something else', () => saying('220 mail.example.com ESMTP\r\n'), garbage],
    ['says bytes', () => saying(Buffer.from([0, 255, 13, 10, 13, 10])), garbage],
    ['has another version', () => saying('HTTP/9.9 200 OK\r\n\r\n'), garbage],
    ['has no number as status', () => saying('HTTP/1.1 OK\r\n\r\n'), garbage],
    ['has two lengths', () => saying(`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\n`), garbage],
    ['has a NUL in a header', () => saying(`${ok}x: \0\r\n\r\n`), garbage],
    ['has one huge header', () => saying(`${ok}x: ${'a'.repeat(20_000)}`), large],
    [
      'has many headers',
      () => saying(ok, ...Array.from({ length: 1_000 }, (_, i) => `x-${i}: aaaaaaaaaaaa\r\n`)),
      large,
    ],
    ['has one huge status line', () => saying(`HTTP/1.1 200 ${'a'.repeat(40_000)}`), large],
    ['wants another protocol', () => saying('HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'), cut],
  ])('but %s is a failure', async (_, receive, reason) => {
    const receiver = await receive()
    expect(await innerSender()(messageTo(receiver.url))).toEqual({ outcome: 'failed', reason })
  })

  it('is a failure where nobody listens', async () => {
    const outcome = await innerSender()(messageTo('http://127.0.0.1:1/'))
    expect(reasonIn(outcome)).toBe('The receiver refused the connection.')
  })

  it.each([
    ['closes in its body', () => sayingAtLast(`${ok}content-length: 100\r\n\r\nhalf`)],
    ['breaks its chunks', () => sayingAtLast(`${ok}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nzzz\r\n`)],
  ])('any more, and %s, has answered', async (_, receive) => {
    const receiver = await receive()
    const outcome = await innerSender()(messageTo(receiver.url))
    expect(outcome).toMatchObject({ outcome: 'answered', status: 200, body: 'half' })
  })
})

describe('a long answer', () => {
  it('is read up to 64 KiB and then cut', async () => {
    let written = 0
    const receiver = await httpReceiver((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('c'.repeat(16_384))) written += 16_384
      }
      response.on('drain', more)
      more()
    })
    const outcome = await innerSender()(messageTo(receiver.url))
    expect(outcome).toMatchObject({ outcome: 'answered', status: 200, body: 'c'.repeat(1024) })
    // What the buffers of both ends hold comes on top.
    expect(written).toBeLessThan(16 * 1024 * 1024)
  })

  it('is kept up to 1,024 characters, none of them halved', async () => {
    const receiver = await httpReceiver((_, response) => void response.end(`a${'😀'.repeat(2_000)}`))
    const outcome = await innerSender()(messageTo(receiver.url))
    expect(outcome).toMatchObject({ body: `a${'😀'.repeat(1023)}` })
  })

  it('that is no UTF-8 becomes text all the same', async () => {
    const receiver = await httpReceiver((_, response) => void response.end(Buffer.from([0xff, 0x61, 0xc3])))
    expect(await innerSender()(messageTo(receiver.url))).toMatchObject({ body: '\ufffda\ufffd' })
  })
})

describe('what a failure says', () => {
  it('is nothing of the message, the URL or the network', async () => {
    const receivers = await Promise.all([tcpReceiver((socket) => void socket.end()), saying('what?')])
    const urls = [
      ...receivers.map(({ url }) => `${url}token-in-path?token=${secret}`),
      `http://user:${secret}@127.0.0.1:1/${secret}`,
      `http://${secret}.test/`,
      `ftp://${secret}/`,
      `:${secret}`,
    ]
    const resolve = async (name: string) => Promise.reject(new Error(`no ${name}`))
    for (const url of urls) {
      const reason = reasonIn(await innerSender({ resolve })(messageTo(url)))
      expect(reason).toMatch(/^The [a-zA-Z ]+\.$/)
      expect(reason).not.toContain(secret)
    }
  })

  it.each<Partial<WebhookMessage>>([
    { headers: { 'x-a': `${secret}\r\nx-b: 1` } },
    { headers: { 'x\0': secret } },
    { headers: { 'x-a': '\u{1f600}' } },
  ])('is that a message is none, for %j', async (more) => {
    const receiver = await tcpReceiver()
    const outcome = await innerSender()(messageTo(receiver.url, more))
    expect(reasonIn(outcome)).toBe('The message cannot be written as HTTP.')
    expect(receiver.connections()).toBe(0)
  })
})
