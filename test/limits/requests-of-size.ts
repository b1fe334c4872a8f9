import type { LimitStage } from './limit-stage.ts'

/** Media type of a semantic patch. */
export const semantic = 'application/json; domain-model=svc.semanticpatch'
const flag = '/flags/web/checkout'
/** Where the segments are. */
export const segments = '/segments/web/test'
/** So many of a thing, each made from its number. */
export const many = <T>(n: number, make: (index: number) => T) => Array.from({ length: n }, (_, index) => make(index))

/** Lists in each other, so many levels deep. */
export function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

/** A body that is as long as that, and says something. */
export function bodyOf(bytes: number): string {
  const text = JSON.stringify({ key: 'long', name: 'Long' })
  return text + ' '.repeat(bytes - text.length)
}

const boundary = 'b'

/** A form of these parts. */
export function form(parts: readonly string[]): string {
  return [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join('')
}

/** The file of a form, with one key. */
export const filePart = 'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nkey\nalice'
/** A field of a form besides its file. */
export const field = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`
/** The field that says what becomes of keys that are there. */
export const mode = field('mode', 'merge')

/** Sends a form for the big segment. */
export const upload = ({ send }: LimitStage, text: string) =>
  send('POST', `${segments}/big/imports`, { text, type: `multipart/form-data; boundary=${boundary}` })
/** Sends a file for the big segment. */
export const csv = ({ send }: LimitStage, text: string) =>
  send('POST', `${segments}/big/imports?mode=merge`, { text, type: 'text/csv' })
/** Makes a segment. */
export const makeSegment = ({ send }: LimitStage, key: string, more: object) =>
  send('POST', segments, { body: { key, name: key, ...more } })
/** Changes a segment by JSON Patch. */
export const patchSegment = ({ send }: LimitStage, key: string, body: unknown) =>
  send('PATCH', `${segments}/${key}`, { body })
/** Changes the flag, by JSON Patch unless another type is named. */
export const patchFlag = ({ send }: LimitStage, body: unknown, type?: string) => send('PATCH', flag, { body, type })

let made = 0
/** A key that no other attempt has. */
export const fresh = (name: string) => `${name}-${made++}`

/** Makes a migration flag and tells its key. */
export async function migrationFlag({ send }: LimitStage): Promise<string> {
  const key = fresh('migration')
  await send('POST', '/flags/web', {
    body: { key, name: key, purpose: 'migration', migrationSettings: { stageCount: 6, contextKind: 'organization' } },
  })
  return key
}
