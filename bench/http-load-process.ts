import { connect, type Socket } from 'node:net'
import type { Load } from './http-load.ts'

const mark = Buffer.from('HTTP/1.1 ')
const good = Buffer.from('HTTP/1.1 2')

interface Counts {
  sent: number
  answers: number
  failures: number
  firstFailure: string
}

/** Keeps a connection busy: for each response that begins, sends one more request. */
function keepAsking({ port, pipelined }: Load, next: () => string, counts: Counts, done: () => void): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const ask = (count: number) => {
    let text = ''
    for (let i = 0; i < count; i++) text += next()
    if (text !== '') socket.write(text)
  }
  let rest = Buffer.alloc(0)
  ask(pipelined)
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let seen = 0
    let end = 0
    for (let at = bytes.indexOf(mark); at >= 0 && at + good.length <= bytes.length; at = bytes.indexOf(mark, end)) {
      end = at + good.length
      seen++
      if (bytes.compare(good, 0, good.length, at, end) === 0) continue
      if (counts.failures++ === 0) counts.firstFailure = bytes.toString('latin1', at, at + 600)
    }
    // The start of a response may be split between two chunks.
    rest = Buffer.from(bytes.subarray(Math.max(end, bytes.length - good.length)))
    counts.answers += seen
    ask(seen)
    if (counts.answers >= counts.sent) done()
  })
  return socket
}

/** Returns a function that returns the next request of a load, or an empty text when there are no more. */
function requestsOf({ request, first = 0, most = Number.POSITIVE_INFINITY }: Load, counts: Counts): () => string {
  // Constant requests are not rebuilt, because this process shares the machine with the server under test.
  const numbered = request.includes('{number}') || request.includes('{hundredth}')
  return () => {
    if (counts.sent >= most) return ''
    if (!numbered) {
      counts.sent++
      return request
    }
    const number = first + counts.sent++
    return request
      .replaceAll('{number}', String(number).padStart(8, '0'))
      .replaceAll('{hundredth}', String(number % 100).padStart(2, '0'))
  }
}

process.on('message', async (load: Load) => {
  const counts: Counts = { sent: 0, answers: 0, failures: 0, firstFailure: '' }
  const next = requestsOf(load, counts)
  const begun = performance.now()
  let sockets: Socket[] = []
  await new Promise<void>((done) => {
    setTimeout(done, load.ms)
    sockets = Array.from({ length: load.connections }, () => keepAsking(load, next, counts, done))
  })
  const perSecond = (counts.answers * 1000) / (performance.now() - begun)
  for (const socket of sockets) socket.destroy()
  process.send?.({ perSecond, ...counts })
})
