import { PassThrough, Readable } from 'node:stream'

/** A terminal whose output is kept: what each stream was told is handed out once. */
export function capturedTerminal(stdin = '', signal = new AbortController().signal) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const said = (stream: PassThrough) => String(stream.read() ?? '')
  return {
    terminal: { env: {}, stdin: Readable.from([stdin]), stdout, stderr, signal },
    out: () => said(stdout),
    err: () => said(stderr),
  }
}
