import { getEventListeners } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { certificate } from './test/certificate.ts'
import { messageTo, privateSender, reasonOfFailure } from './test/messages.ts'
import { httpReceiver, listen, otherLoopback, tcpReceiver } from './test/receivers.ts'

/** Makes an event that fires once, with a promise to wait for it. */
function createEvent(): { readonly fired: Promise<void>; readonly fire: () => void } {
  let fire = () => {}
  const fired = new Promise<void>((resolve) => {
    fire = resolve
  })
  return { fired, fire }
}

describe('a delivered message', () => {
  it('is posted unchanged, with its headers, to the path of its URL', async () => {
    const received: object[] = []
    const receiver = await httpReceiver(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { method, url, headers } = request
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(201, { 'retry-after': '120' }).end('thank you')
    })
    const headers = {
      'Content-Type': 'application/json',
      'X-SVC-Signature': 'ab12',
      Host: 'other',
      'Content-Length': '1',
    }
    const url = `${receiver.url}hooks/a%20b?token=1#part`
    const outcome = await privateSender()(messageTo(url, { headers }))
    expect(outcome).toEqual({
      outcome: 'answered',
      status: 201,
      body: 'thank you',
      retryAfter: '120',
      ms: expect.any(Number),
    })
    expect(received).toEqual([
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
      const outcome = await privateSender()(messageTo(receiver.url))
      expect(outcome).toEqual({ outcome: 'answered', status, body: '', retryAfter: undefined, ms: expect.any(Number) })
    },
  )

  it('has a duration in whole milliseconds', async () => {
    const receiver = await httpReceiver((_, response) => void setTimeout(() => response.end(), 200))
    const outcome = await privateSender()(messageTo(receiver.url))
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
    await privateSender()(messageTo(`http://user:password@127.0.0.1:${receiver.port}/`))
    expect(authorization).toBeUndefined()
  })

  it('uses an open connection of its own sender again', async () => {
    const receiver = await httpReceiver((_, response) => void response.end('x'.repeat(60_000)))
    const [first, second] = [privateSender(), privateSender()]
    for (let i = 0; i < 5; i++) await first(messageTo(receiver.url))
    expect(receiver.connections()).toBe(1)
    await second(messageTo(receiver.url))
    expect(receiver.connections()).toBe(2)
  })

  it('is sent again when an open connection was closed in the meantime', async () => {
    const receiver = await tcpReceiver((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n')
        // Behaves like a server that closes the connection at the moment when the next message arrives.
        socket.once('data', () => socket.resetAndDestroy())
      })
    })
    const send = privateSender()
    for (let i = 0; i < 3; i++) expect(await send(messageTo(receiver.url))).toMatchObject({ status: 200 })
    expect(receiver.connections()).toBe(3)
  })
})

describe('a name', () => {
  it('sends the host name in Host and connects to the address that it resolves to', async () => {
    let host: string | undefined
    const receiver = await httpReceiver((request, response) => {
      host = request.headers.host
      response.end()
    })
    const resolvedNames: string[] = []
    const resolve = async (name: string) => {
      resolvedNames.push(name)
      return ['127.0.0.1']
    }
    await privateSender({ resolve })(messageTo(`http://Hooks.Test.:${receiver.port}/`))
    expect([resolvedNames, host]).toEqual([['hooks.test.'], `hooks.test.:${receiver.port}`])
  })

  it('is resolved by the operating system when there is no `resolve`', async () => {
    const receiver = await httpReceiver((_, response) => void response.end())
    expect(await privateSender()(messageTo(`http://localhost:${receiver.port}/`))).toMatchObject({ status: 200 })
  })

  it('with several addresses is reached at one that accepts the connection', async () => {
    const receiver = await httpReceiver((_, response) => void response.end(), otherLoopback)
    const send = privateSender({ resolve: async () => ['127.0.0.1', otherLoopback] })
    expect(await send(messageTo(`http://hooks.test:${receiver.port}/`))).toMatchObject({ status: 200 })
  })

  it.each([
    async () => [],
    async () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND inner'), { code: 'ENOTFOUND' })),
    () => {
      throw new Error('inner')
    },
  ])('that cannot be resolved leads to a failure', async (resolve) => {
    const outcome = await privateSender({ resolve })(messageTo('http://inner.test/'))
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
    return { ...(await listen(server)), names }
  }

  it('is verified by the name in the URL, not by the address', async () => {
    const receiver = await secureReceiver()
    const send = privateSender({ resolve, ca: cert })
    for (const host of [name, `${name}.`]) {
      const outcome = await send(messageTo(`https://${host}:${receiver.port}/`))
      expect(outcome).toMatchObject({ outcome: 'answered', status: 200, body: 'secure' })
    }
    expect(receiver.names).toEqual([name, `${name}:${receiver.port}`, name, `${name}.:${receiver.port}`])
  })

  it('must have a trusted certificate for its name', async () => {
    const receiver = await secureReceiver()
    const reason = 'The certificate of the receiver cannot be trusted.'
    const untrusted = await privateSender({ resolve })(messageTo(`https://${name}:${receiver.port}/`))
    const trustingSender = privateSender({ resolve, ca: cert })
    const wrongName = await trustingSender(messageTo(`https://other.test:${receiver.port}/`))
    const withoutName = await trustingSender(messageTo(`https://127.0.0.1:${receiver.port}/`))
    for (const outcome of [untrusted, wrongName, withoutName]) expect(outcome).toEqual({ outcome: 'failed', reason })
    expect(receiver.names).toEqual([])
  })

  it('that does not support TLS leads to a failure', async () => {
    const receiver = await httpReceiver((_, response) => void response.end())
    const outcome = await privateSender()(messageTo(`https://127.0.0.1:${receiver.port}/`))
    expect(reasonOfFailure(outcome)).toBe('The secure connection to the receiver could not be established.')
  })
})

describe('canceling and closing', () => {
  it('an aborted signal ends the delivery', async () => {
    const receiver = await tcpReceiver()
    const abortController = new AbortController()
    const outcomePromise = privateSender()(messageTo(receiver.url, { signal: abortController.signal }))
    abortController.abort()
    expect(await outcomePromise).toEqual({ outcome: 'failed', reason: 'The delivery was canceled.' })
    const abortedBefore = await privateSender()(messageTo(receiver.url, { signal: AbortSignal.abort() }))
    expect(reasonOfFailure(abortedBefore)).toBe('The delivery was canceled.')
  })

  it('a finished delivery leaves no listener on the signal', async () => {
    const receiver = await httpReceiver((_, response) => void response.end())
    const { signal } = new AbortController()
    await privateSender()(messageTo(receiver.url, { signal }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('closing a sender ends its deliveries in progress', async () => {
    const connected = createEvent()
    const receiver = await tcpReceiver(connected.fire)
    const resolvedNames = createEvent()
    const sender = privateSender({
      resolve: () => {
        resolvedNames.fire()
        return new Promise(() => {})
      },
    })
    const pending = [sender(messageTo(receiver.url)), sender(messageTo('http://hooks.test/'))]
    await Promise.all([connected.fired, resolvedNames.fired])
    sender.close()
    for (const outcomePromise of [...pending, sender(messageTo(receiver.url))]) {
      expect(await outcomePromise).toEqual({ outcome: 'failed', reason: 'The sender is closed.' })
    }
  })

  it('closing a sender closes its idle connections', async () => {
    const closed = createEvent()
    const receiver = await tcpReceiver((socket) => {
      socket.once('close', closed.fire)
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    })
    const sender = privateSender()
    expect(await sender(messageTo(receiver.url))).toMatchObject({ status: 200 })
    const started = performance.now()
    sender.close()
    await closed.fired
    // Without closing, the connection would end after five seconds.
    expect(performance.now() - started).toBeLessThan(4_500)
  })
})
