import { describe, expect, it } from 'vitest'
import { closeAfterTest, messageTo, privateSender, reasonOfFailure } from './test/messages.ts'
import { httpReceiver, otherLoopback, tcpReceiver } from './test/receivers.ts'
import { createGuardedSender, createWebhookSender } from './webhook-sender.ts'

const refused = { outcome: 'failed', reason: 'The URL leads to an address that is not allowed.', refused: true }
const urlRefused = { outcome: 'failed', reason: 'The URL is not an absolute http or https URL.' }

/** Makes a `resolve` that returns these addresses for every name. */
const resolveTo =
  (...addresses: readonly string[]) =>
  async () =>
    addresses

/** Spellings of private addresses; `#` is replaced with the port of a listener on loopback. */
const privateUrls = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1', '0x7F.0x0.0x0.0x1'],
  ...['017700000001', '0177.0.0.1', '0177.0x0.1', '127.0.0.1.', '127.1.', '0', '0.0.0.0', '00', '0x0', '0.1'],
  ...['１２７.０.０.１', '①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '127%2e0.0.1', '0x7f.0.0.0x1.'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]'],
  ...[
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::1]',
    '[::ffff:0:7f00:1]',
  ],
  ...['[2002:7f00:1::]', '[2002:a00:1::1]', '[2001:0:7f00:1::]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[fc00::1]'],
  ...['[fd00::1]', '[fd00:ec2::254]', '[ff02::1]', '[2001:db8::1]', '[3fff::1]', '[100::1]', '[5f00::1]', '[4000::1]'],
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.255.255',
    '169.254.169.254',
  ],
  ...['169.254.170.2', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '168.63.129.16'],
  ...['100.64.0.1', '100.100.100.200', '100.127.255.255', '192.0.0.192', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
  ...['198.18.0.1', '198.19.255.255', '192.88.99.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]', '[::ffff:192.168.1.1]', '[::ffff:100.64.0.1]', '[::ffff:0.0.0.0]'],
].map((host) => `http://${host}:#/`)

const disguisedUrls = [
  'http://user:password@127.0.0.1:#/',
  'http://example.com@127.0.0.1:#/',
  'http://example.com%40@127.0.0.1:#/',
  'http://127.0.0.1:#\\@example.com/',
  'http:\\\\127.0.0.1:#/',
  'http:/127.0.0.1:#/',
  'http:127.0.0.1:#/',
  'http:////127.0.0.1:#/',
  'HTTP://127.0.0.1:#/',
  ' http://127.0.0.1:#/',
  'ht\ntp://127.0.0.1:#/',
  'http://127.0.\t0.1:#/',
  'http://127.0.0.1:#?@example.com/',
  'http://127.0.0.1:##@example.com/',
  'http://127.0.0.1:000#/',
  'https://127.0.0.1:#/',
  'https://[::1]:#/',
]

const invalidUrls = [
  ...['', ' ', 'http:', 'http://', 'https://:#/', '//127.0.0.1:#/', '127.0.0.1:#', 'localhost:#', '/hook', 'http://:#'],
  ...['ftp://127.0.0.1:#/', 'file:///etc/passwd', 'gopher://127.0.0.1:#/_', 'data:text/plain,x', 'javascript:1'],
  ...[
    'ws://127.0.0.1:#/',
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
    'blob:http://127.0.0.1:#/',
  ],
  ...[
    'http://127.0.0.1:99999/',
    'http://256.0.0.1:#/',
    'http://1.2.3.4.5:#/',
    'http://[::1:#/',
    'http://[fe80::1%25eth0]:#/',
  ],
  ...['http://a b:#/', 'http://127.0.0.1\0:#/', 'http://0x7f.0.0.0.1:#/', 'http://4294967296:#/', 'http://\ud800:#/'],
]

describe('a sender that may not connect to private addresses', () => {
  const refusedUrls = [...privateUrls, ...disguisedUrls].map((url) => [url, refused] as const)
  const allUrls = [...refusedUrls, ...invalidUrls.map((url) => [url, urlRefused] as const)]

  it('is tested with at least a hundred URLs', () => {
    expect(new Set(allUrls.map(([url]) => url)).size).toBe(allUrls.length)
    expect(allUrls.length).toBeGreaterThanOrEqual(100)
  })

  it.each(allUrls)('rejects %j', async (url, outcome) => {
    const listener = await tcpReceiver()
    const send = closeAfterTest(createWebhookSender({ resolve: resolveTo() }))
    expect(await send(messageTo(url.replace('#', String(listener.port)), { timeoutMs: 500 }))).toEqual(outcome)
    expect(listener.connections()).toBe(0)
  })

  it.each(['localhost', 'LOCALHOST'])(
    'refuses the name %s, which the operating system resolves to a private address',
    async (name) => {
      const listener = await tcpReceiver()
      const send = closeAfterTest(createWebhookSender())
      expect(await send(messageTo(`http://${name}:${listener.port}/`))).toEqual(refused)
      expect(listener.connections()).toBe(0)
    },
  )

  // Not every system resolves this name.
  it('does not connect to loopback by the name localhost.', async () => {
    const listener = await tcpReceiver()
    const send = closeAfterTest(createWebhookSender())
    expect(await send(messageTo(`http://localhost.:${listener.port}/`))).toMatchObject({ outcome: 'failed' })
    expect(listener.connections()).toBe(0)
  })

  it.each([
    [['127.0.0.1']],
    [['93.184.216.34', '127.0.0.1']],
    [['127.0.0.1', '93.184.216.34']],
    [['93.184.216.34', '2606:4700::1111', '::ffff:10.0.0.1']],
    [[...Array.from({ length: 500 }, (_, i) => `93.184.${i >> 8}.${i & 255}`), '169.254.169.254']],
    [['93.184.216.34', '']],
    [['93.184.216.34', 'localhost']],
    [['0x7f.1']],
    [['93.184.216.34%lo']],
    [['93.184.216.34 ']],
  ])('refuses a name with at least one private address: %j', async (addresses) => {
    const listener = await tcpReceiver()
    const send = closeAfterTest(createWebhookSender({ resolve: resolveTo(...addresses) }))
    for (const scheme of ['http', 'https']) {
      expect(await send(messageTo(`${scheme}://hooks.test:${listener.port}/`))).toEqual(refused)
    }
    expect(listener.connections()).toBe(0)
  })

  it('gives the same reason for every private address, so that it reveals nothing about the network', async () => {
    const [first, second] = ['10.0.0.1', 'fd00::1'].map((address) =>
      createWebhookSender({ resolve: resolveTo(address) }),
    )
    const message = messageTo('http://hooks.test/')
    expect(await first?.(message)).toEqual(await second?.(message))
  })
})

/**
 * In these tests 127.0.0.1 represents the public network, and another loopback address represents the private network,
 * because tests can listen on both.
 */
describe('a name that resolves to a private address after it was checked', () => {
  const isAllowed = (address: string) => address === '127.0.0.1'

  async function publicAndPrivateReceivers() {
    const publicReceiver = await httpReceiver((_, response) => void response.end('outside'))
    const privateReceiver = await tcpReceiver(undefined, otherLoopback, publicReceiver.port)
    return {
      outside: publicReceiver,
      inside: privateReceiver,
      message: messageTo(`http://hooks.test:${publicReceiver.port}/`, { timeoutMs: 1_000 }),
    }
  }

  it('is resolved once for each message, and the checked address is used', async () => {
    const { inside: privateReceiver, outside: publicReceiver, message } = await publicAndPrivateReceivers()
    const resolvedAddresses = [['127.0.0.1'], [otherLoopback]]
    let resolveCount = 0
    const resolve = async () => resolvedAddresses[resolveCount++] ?? []
    const send = closeAfterTest(createGuardedSender({ isAllowed, resolve, ca: undefined }))
    expect(await send(message)).toMatchObject({ status: 200, body: 'outside' })
    expect([resolveCount, publicReceiver.connections(), privateReceiver.connections()]).toEqual([1, 1, 0])
    // The connection is still open, but the name resolves to an address that is not allowed.
    expect(await send(message)).toEqual(refused)
    expect([resolveCount, publicReceiver.connections(), privateReceiver.connections()]).toEqual([2, 1, 0])
  })

  it('is not followed when the resolver changes its result list afterwards', async () => {
    const { inside: privateReceiver, outside: publicReceiver, message } = await publicAndPrivateReceivers()
    const list = ['127.0.0.1']
    const isAllowedThenChange = (address: string) => {
      queueMicrotask(() => void list.splice(0, 1, otherLoopback))
      return isAllowed(address)
    }
    const send = closeAfterTest(
      createGuardedSender({ isAllowed: isAllowedThenChange, resolve: async () => list, ca: undefined }),
    )
    expect(await send(message)).toMatchObject({ body: 'outside' })
    expect([publicReceiver.connections(), privateReceiver.connections()]).toEqual([1, 0])
  })

  it('is not resolved again when the checked address refuses the connection', async () => {
    const privateReceiver = await tcpReceiver(undefined, otherLoopback)
    const resolvedAddresses = [['127.0.0.1'], [otherLoopback]]
    const resolve = async () => resolvedAddresses.shift() ?? []
    const send = closeAfterTest(createGuardedSender({ isAllowed, resolve, ca: undefined }))
    const outcome = await send(messageTo(`http://hooks.test:${privateReceiver.port}/`))
    expect(reasonOfFailure(outcome)).toBe('The receiver refused the connection.')
    expect([resolvedAddresses.length, privateReceiver.connections()]).toEqual([1, 0])
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with status %i is returned as a response and not followed', async (status) => {
    const redirectTarget = await tcpReceiver()
    const receiver = await httpReceiver(
      (_, response) => void response.writeHead(status, { location: redirectTarget.url }).end(),
    )
    expect(await privateSender()(messageTo(receiver.url))).toMatchObject({ outcome: 'answered', status })
    expect(redirectTarget.connections()).toBe(0)
  })
})
