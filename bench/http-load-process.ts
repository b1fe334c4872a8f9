import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Load } from './http-load.ts'

const responseStart = Buffer.from('HTTP/1.1 ')
const successStart = Buffer.from('HTTP/1.1 2')

interface Counts {
  sent: number
  responses: number
  failures: number
  firstFailure: string
}

/** Keeps a connection busy: sends one more request for each response that begins. */
function keepSending({ port, pipelined }: Load, next: () => string, counts: Counts, done: () => void): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const send = (count: number) => {
    let text = ''
    for (let i = 0; i < count; i++) text += next()
    if (text !== '') socket.write(text)
  }
  let partialStart = Buffer.alloc(0)
  send(pipelined)
  socket.on('error', (error) => {
    if (counts.failures++ === 0) counts.firstFailure = error.message
    done()
  })
  socket.on('data', (chunk: Buffer) => {
    const bytes = partialStart.length === 0 ? chunk : Buffer.concat([partialStart, chunk])
    let responseCount = 0
    let end = 0
    for (
      let position = bytes.indexOf(responseStart);
      position >= 0 && position + successStart.length <= bytes.length;
      position = bytes.indexOf(responseStart, end)
    ) {
      end = position + successStart.length
      responseCount++
      if (bytes.compare(successStart, 0, successStart.length, position, end) === 0) continue
      if (counts.failures++ === 0) counts.firstFailure = bytes.toString('latin1', position, position + 600)
    }
    // The start of a response may be split between two chunks.
    partialStart = Buffer.from(bytes.subarray(Math.max(end, bytes.length - successStart.length)))
    counts.responses += responseCount
    send(responseCount)
    if (counts.responses >= counts.sent) done()
  })
  return socket
}

/** Returns a function that returns the next request of a load, or an empty text when there are no more. */
function requestsOf({ request, first = 0, limit = Number.POSITIVE_INFINITY }: Load, counts: Counts): () => string {
  // Constant requests are not rebuilt, because this process shares the machine with the server under test.
  const hasNumbers = request.includes('{number}') || request.includes('{hundredth}')
  return () => {
    if (counts.sent >= limit) return ''
    if (!hasNumbers) {
      counts.sent++
      return request
    }
    const number = first + counts.sent++
    return request
      .replaceAll('{number}', String(number).padStart(8, '0'))
      .replaceAll('{hundredth}', String(number % 100).padStart(2, '0'))
  }
}

/** Maximum time for the last responses after the end of a load, ms. */
const maxWaitMs = 5_000

process.on('message', async (load: Load) => {
  const counts: Counts = { sent: 0, responses: 0, failures: 0, firstFailure: '' }
  const nextRequest = requestsOf(load, counts)
  let ended = false
  const next = () => (ended ? '' : nextRequest())
  const startTime = performance.now()
  let sockets: Socket[] = []
  const allResponses = new Promise<void>((done) => {
    sockets = Array.from({ length: load.connections }, () => keepSending(load, next, counts, done))
  })
  await Promise.race([allResponses, delay(load.ms)])
  const perSecond = (counts.responses * 1000) / (performance.now() - startTime)
  ended = true
  // A server that still changes what the last requests name would conflict with the next server under test.
  if (counts.responses < counts.sent) await Promise.race([allResponses, delay(maxWaitMs)])
  for (const socket of sockets) socket.destroy()
  process.send?.({ perSecond, ...counts })
})
