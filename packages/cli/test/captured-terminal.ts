import { PassThrough, Readable } from 'node:stream'

/** Returns a terminal that captures its output. Each part of the output is returned once. */
export function capturedTerminal(stdin = '', signal = new AbortController().signal) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const takeOutput = (stream: PassThrough) => String(stream.read() ?? '')
  return {
    terminal: { env: {}, stdin: Readable.from([stdin]), stdout, stderr, signal },
    out: () => takeOutput(stdout),
    err: () => takeOutput(stderr),
  }
}
