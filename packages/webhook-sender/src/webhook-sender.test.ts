import { getEventListeners } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { certificate } from './test/certificate.ts'
import { innerSender, messageTo, reasonIn } from './test/messages.ts'
import { httpReceiver, listening, otherLoopback, tcpReceiver } from './test/receivers.ts'

/** Makes an event that fires once, with a promise to wait for it. */
function signalled(): { readonly told: Promise<void>; readonly tell: () => void } {
  let tell = () => {}
  const told = new Promise<void>((resolve) => {
    tell = resolve
  })
  return { told, tell }
}

describe('a delivered message', () => {
  it('is posted unchanged, with its headers, to the path of its URL', async () => {
    const seen: object[] = []
    const receiver = await httpReceiver(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { method, url, headers } = request
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(201, { 'retry-after': '120' }).end('thank you')
    })
    const headers = {
      'Content-Type': 'application/json',
      'X-SVC-Signature': 'ab12',
      Host: 'other',
      'Content-Length': '1',
    }
    const url = `${receiver.url}hooks/a%20b?token=1#part`
    const outcome = await innerSender()(messageTo(url, { headers }))
    expect(outcome).toEqual({
      outcome: 'answered',
      status: 201,
      body: 'thank you',
      retryAfter: '120',
      ms: expect.any(Number),
    })
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/hooks/a%20b?token=1',
        body: messageTo('').body,
        headers: {
          'content-type': 'application/json',
          'x-svc-signature': 'ab12',
          host: `127.0.0.1:${receiver.port}`,
          'content-length': String(Buffer.byteLength(messageTo('').body)),
          connection: 'keep-alive',
        },
      },
    ])
  })

  it.each([200, 204, 304, 400, 404, 410, 429, 500, 503, 599])(
    'has the outcome "answered" for the status %i',
    async (status) => {
      const receiver = await httpReceiver((_, response) => void response.writeHead(status).end())
      const outcome = await innerSender()(messageTo(receiver.url))
      expect(outcome).toEqual({ outcome: 'answered', status, body: '', retryAfter: undefined, ms: expect.any(Number) })
    },
  )

  it('has a duration in whole milliseconds', async () => {
    const receiver = await httpReceiver((_, response) => void setTimeout(() => response.end(), 200))
    const outcome = await innerSender()(messageTo(receiver.url))
    const ms = outcome.outcome === 'answered' ? outcome.ms : Number.NaN
    expect(Number.isInteger(ms)).toBe(true)
    expect(ms).toBeGreaterThan(50)
  })

  it('does not contain user and password of its URL', async () => {
    let authorization: string | undefined = 'unseen'
    const receiver = await httpReceiver((request, response) => {
      authorization = request.headers.authorization
      response.end()
    })
    await innerSender()(messageTo(`http://user:password@127.0.0.1:${receiver.port}/`))
    expect(authorization).toBeUndefined()
  })

  it('uses an open connection of its own sender again', async () => {
    const receiver = await httpReceiver((_, response) => void response.end('x'.repeat(60_000)))
    const [one, other] = [innerSender(), innerSender()]
    for (let i = 0; i < 5; i++) await one(messageTo(receiver.url))
    expect(receiver.connections()).toBe(1)
    await other(messageTo(receiver.url))
    expect(receiver.connections()).toBe(2)
  })

  it('is sent again when an open connection was closed in the meantime', async () => {
    const receiver = await tcpReceiver((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n')
        // Behaves as if it had closed the connection when the next message arrived.
        socket.once('data', () => socket.resetAndDestroy())
      })
    })
    const send = innerSender()
    for (let i = 0; i < 3; i++) expect(await send(messageTo(receiver.url))).toMatchObject({ status: 200 })
    expect(receiver.connections()).toBe(3)
  })
})

describe('a name', () => {
  it('is sent in Host while the connection goes to its address', async () => {
    let host: string | undefined
    const receiver = await httpReceiver((request, response) => {
      host = request.headers.host
      response.end()
    })
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return ['127.0.0.1']
    }
    await innerSender({ resolve })(messageTo(`http://Hooks.Test.:${receiver.port}/`))
    expect([asked, host]).toEqual([['hooks.test.'], `hooks.test.:${receiver.port}`])
  })

  it('is resolved as the operating system does', async () => {
    const receiver = await httpReceiver((_, response) => void response.end())
    expect(await innerSender()(messageTo(`http://localhost:${receiver.port}/`))).toMatchObject({ status: 200 })
  })

  it('with several addresses is reached at one that accepts the connection', async () => {
    const receiver = await httpReceiver((_, response) => void response.end(), otherLoopback)
    const send = innerSender({ resolve: async () => ['127.0.0.1', otherLoopback] })
    expect(await send(messageTo(`http://hooks.test:${receiver.port}/`))).toMatchObject({ status: 200 })
  })

  it.each([
    async () => [],
    async () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND inner'), { code: 'ENOTFOUND' })),
    () => {
      throw new Error('inner')
    },
  ])('that cannot be resolved leads to a failure', async (resolve) => {
    const outcome = await innerSender({ resolve })(messageTo('http://inner.test/'))
    expect(outcome).toEqual({ outcome: 'failed', reason: 'The name of the receiver could not be resolved.' })
  })
})

describe('a receiver with TLS', () => {
  const { name, cert, key } = certificate
  const resolve = async () => ['127.0.0.1']

  async function secureReceiver() {
    const names: unknown[] = []
    const server = createSecureServer({ cert, key }, (request, response) => {
      names.push((request.socket as TLSSocket & { servername?: unknown }).servername, request.headers.host)
      response.end('secure')
    })
    return { ...(await listening(server)), names }
  }

  it('is verified by the name in the URL, not by the address', async () => {
    const receiver = await secureReceiver()
    const send = innerSender({ resolve, ca: cert })
    for (const host of [name, `${name}.`]) {
      const outcome = await send(messageTo(`https://${host}:${receiver.port}/`))
      expect(outcome).toMatchObject({ outcome: 'answered', status: 200, body: 'secure' })
    }
    expect(receiver.names).toEqual([name, `${name}:${receiver.port}`, name, `${name}.:${receiver.port}`])
  })

  it('must have a trusted certificate for its name', async () => {
    const receiver = await secureReceiver()
    const reason = 'The certificate of the receiver cannot be trusted.'
    const untrusted = await innerSender({ resolve })(messageTo(`https://${name}:${receiver.port}/`))
    const trusting = innerSender({ resolve, ca: cert })
    const misnamed = await trusting(messageTo(`https://other.test:${receiver.port}/`))
    const unnamed = await trusting(messageTo(`https://127.0.0.1:${receiver.port}/`))
    for (const outcome of [untrusted, misnamed, unnamed]) expect(outcome).toEqual({ outcome: 'failed', reason })
    expect(receiver.names).toEqual([])
  })

  it('that does not support TLS leads to a failure', async () => {
    const receiver = await httpReceiver((_, response) => void response.end())
    const outcome = await innerSender()(messageTo(`https://127.0.0.1:${receiver.port}/`))
    expect(reasonIn(outcome)).toBe('The secure connection to the receiver could not be established.')
  })
})

describe('canceling and closing', () => {
  it('an aborted signal ends the delivery', async () => {
    const receiver = await tcpReceiver()
    const calling = new AbortController()
    const sent = innerSender()(messageTo(receiver.url, { signal: calling.signal }))
    calling.abort()
    expect(await sent).toEqual({ outcome: 'failed', reason: 'The delivery was canceled.' })
    const late = await innerSender()(messageTo(receiver.url, { signal: AbortSignal.abort() }))
    expect(reasonIn(late)).toBe('The delivery was canceled.')
  })

  it('a finished delivery leaves no listener on the signal', async () => {
    const receiver = await httpReceiver((_, response) => void response.end())
    const { signal } = new AbortController()
    await innerSender()(messageTo(receiver.url, { signal }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('closing a sender ends its deliveries in progress', async () => {
    const connected = signalled()
    const receiver = await tcpReceiver(connected.tell)
    const asked = signalled()
    const sender = innerSender({
      resolve: () => {
        asked.tell()
        return new Promise(() => {})
      },
    })
    const waiting = [sender(messageTo(receiver.url)), sender(messageTo('http://hooks.test/'))]
    await Promise.all([connected.told, asked.told])
    sender.close()
    for (const sent of [...waiting, sender(messageTo(receiver.url))]) {
      expect(await sent).toEqual({ outcome: 'failed', reason: 'The sender is closed.' })
    }
  })

  it('closing a sender closes its idle connections', async () => {
    const closed = signalled()
    const receiver = await tcpReceiver((socket) => {
      socket.once('close', closed.tell)
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    })
    const sender = innerSender()
    expect(await sender(messageTo(receiver.url))).toMatchObject({ status: 200 })
    const started = performance.now()
    sender.close()
    await closed.told
    // Without closing, the connection would end after five seconds.
    expect(performance.now() - started).toBeLessThan(4_500)
  })
})
