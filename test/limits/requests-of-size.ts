import type { LimitStage } from './limit-stage.ts'

/** Media type of a semantic patch. */
export const semantic = 'application/json; domain-model=svc.semanticpatch'
const flag = '/flags/web/checkout'
/** Path of the segments, below `/api/v2`. */
export const segments = '/segments/web/test'
/** Returns an array with the given number of elements, each made from its index. */
export const many = <T>(n: number, make: (index: number) => T) => Array.from({ length: n }, (_, index) => make(index))

/** Returns lists nested to a depth. */
export function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

/** Returns a valid body of exactly this many bytes. */
export function bodyOf(bytes: number): string {
  const text = JSON.stringify({ key: 'long', name: 'Long' })
  return text + ' '.repeat(bytes - text.length)
}

const boundary = 'b'

/** Returns a multipart form with these parts. */
export function form(parts: readonly string[]): string {
  return [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join('')
}

/** The part of a form that contains the file, with one key. */
export const filePart = 'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nkey\nalice'
/** Returns the part of a form that contains a field. */
export const field = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`
/** The field that selects how the import treats existing keys. */
export const mode = field('mode', 'merge')

/** Uploads a form for the big segment. */
export const upload = ({ send }: LimitStage, text: string) =>
  send('POST', `${segments}/big/imports`, { text, type: `multipart/form-data; boundary=${boundary}` })
/** Uploads a CSV file for the big segment. */
export const csv = ({ send }: LimitStage, text: string) =>
  send('POST', `${segments}/big/imports?mode=merge`, { text, type: 'text/csv' })
/** Creates a segment. */
export const makeSegment = ({ send }: LimitStage, key: string, more: object) =>
  send('POST', segments, { body: { key, name: key, ...more } })
/** Changes a segment with a JSON Patch. */
export const patchSegment = ({ send }: LimitStage, key: string, body: unknown) =>
  send('PATCH', `${segments}/${key}`, { body })
/** Changes the flag, with a JSON Patch unless another media type is given. */
export const patchFlag = ({ send }: LimitStage, body: unknown, type?: string) => send('PATCH', flag, { body, type })

let made = 0
/** Returns a key that no other request uses. */
export const fresh = (name: string) => `${name}-${made++}`

/** Creates a migration flag and returns its key. */
export async function migrationFlag({ send }: LimitStage): Promise<string> {
  const key = fresh('migration')
  await send('POST', '/flags/web', {
    body: { key, name: key, purpose: 'migration', migrationSettings: { stageCount: 6, contextKind: 'organization' } },
  })
  return key
}
