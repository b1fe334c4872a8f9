import type { FlagData, Ruleset, SegmentData } from '../evaluation/index.ts'
import { allDataText } from '../sdk-protocol/server-messages.ts'

/** The bytes of a snapshot: a line with the name of the format, a line with the signature, and the signed JSON. */
export type SnapshotBytes = Uint8Array<ArrayBuffer>

/** The first line of a snapshot. It identifies the format: a changed format gets another first line. */
const formatLine = 'halyard-snapshot-1'

const algorithm = { name: 'ECDSA', hash: 'SHA-256' } as const

/** The part of a snapshot that precedes its flags and segments. */
export interface SnapshotHeader {
  readonly projectKey: string
  readonly environmentKey: string
  /** Integer that increases with each snapshot of an environment. */
  readonly version: number
}

/** The content of a snapshot whose signature was verified. */
export interface Snapshot extends SnapshotHeader {
  readonly flags: readonly FlagData[]
  readonly segments: readonly SegmentData[]
}

/**
 * Writes and signs a snapshot.
 *
 * @param key private key of ECDSA on the curve P-256.
 */
export async function writeSnapshot(header: SnapshotHeader, ruleset: Ruleset, key: CryptoKey): Promise<SnapshotBytes> {
  const { projectKey, environmentKey, version } = header
  const headerText = JSON.stringify({ projectKey, environmentKey, version })
  const payload = encode(`{"header":${headerText},"data":${allDataText(ruleset)}}`)
  const signature = toHex(new Uint8Array(await crypto.subtle.sign(algorithm, key, payload)))
  const lines = encode(`${formatLine}\n${signature}\n`)
  const bytes = new Uint8Array(lines.length + payload.length)
  bytes.set(lines)
  bytes.set(payload, lines.length)
  return bytes
}

/**
 * Reads a snapshot.
 *
 * @param key public key of ECDSA on the curve P-256.
 * @throws Error when the bytes are not a snapshot of a known format, and when the signature is not that of the key.
 */
export async function readSnapshot(bytes: SnapshotBytes, key: CryptoKey): Promise<Snapshot> {
  const [format, signature, start] = splitLines(bytes)
  if (format !== formatLine) throw new Error(`the snapshot must begin with the line ${formatLine}`)
  const payload = bytes.subarray(start)
  if (!(await crypto.subtle.verify(algorithm, key, fromHex(signature), payload)))
    throw new Error('the signature of the snapshot does not belong to the public key')
  const { header, data } = JSON.parse(new TextDecoder().decode(payload)) as SignedPayload
  return { ...header, flags: Object.values(data.flags), segments: Object.values(data.segments) }
}

interface SignedPayload {
  readonly header: SnapshotHeader
  readonly data: {
    readonly flags: Readonly<Record<string, FlagData>>
    readonly segments: Readonly<Record<string, SegmentData>>
  }
}

/** Returns the first two lines, and the index of the byte after them. */
function splitLines(bytes: SnapshotBytes): [first: string, second: string, rest: number] {
  const end = bytes.indexOf(newline)
  const next = bytes.indexOf(newline, end + 1)
  const text = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, Math.max(from, to)))
  return [text(0, end), text(end + 1, next), next + 1]
}

const newline = 10

function encode(text: string): SnapshotBytes {
  return new TextEncoder().encode(text)
}

function toHex(bytes: SnapshotBytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): SnapshotBytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
