import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Load } from './http-load.ts'

const mark = Buffer.from('HTTP/1.1 ')
const good = Buffer.from('HTTP/1.1 200')

interface Counts {
  answers: number
  failures: number
}

/** Keeps a connection busy: for each answer that begins, one more request goes out. */
function keepAsking({ port, request, pipelined }: Load, counts: Counts): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let rest = Buffer.alloc(0)
  socket.write(request.repeat(pipelined))
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let seen = 0
    let end = 0
    for (let at = bytes.indexOf(mark); at >= 0 && at + good.length <= bytes.length; at = bytes.indexOf(mark, end)) {
      end = at + good.length
      seen++
      if (bytes.compare(good, 0, good.length, at, end) !== 0) counts.failures++
    }
    // The beginning of an answer may be cut in two.
    rest = Buffer.from(bytes.subarray(Math.max(end, bytes.length - good.length)))
    counts.answers += seen
    if (seen > 0) socket.write(request.repeat(seen))
  })
  return socket
}

process.on('message', async (load: Load) => {
  const counts: Counts = { answers: 0, failures: 0 }
  const sockets = Array.from({ length: load.connections }, () => keepAsking(load, counts))
  const begun = performance.now()
  await pause(load.ms)
  const perSecond = (counts.answers * 1000) / (performance.now() - begun)
  for (const socket of sockets) socket.destroy()
  process.send?.({ perSecond, failures: counts.failures })
})
