import type { LimitTestContext } from './limit-test-context.ts'

/** Media type of a semantic patch. */
export const semantic = 'application/json; domain-model=svc.semanticpatch'
const flagPath = '/flags/web/checkout'
/** Path of the segments, below `/api/v2`. */
export const segmentsPath = '/segments/web/test'
/** Returns an array with the given number of elements, each made from its index. */
export const repeat = <T>(n: number, create: (index: number) => T) =>
  Array.from({ length: n }, (_, index) => create(index))

/** Returns lists nested to a depth. */
export function nestedLists(levels: number): unknown {
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
export function multipartForm(parts: readonly string[]): string {
  return [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join('')
}

/** The part of a form that contains the file, with one key. */
export const filePart = 'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nkey\nalice'
/** Returns the part of a form that contains a field. */
export const formField = (name: string, value: string) =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`
/** The field that selects how the import treats existing keys. */
export const modeField = formField('mode', 'merge')

/** Uploads a form for the big segment. */
export const uploadForm = ({ send }: LimitTestContext, text: string) =>
  send('POST', `${segmentsPath}/big/imports`, { text, type: `multipart/form-data; boundary=${boundary}` })
/** Uploads a CSV file for the big segment. */
export const uploadCsv = ({ send }: LimitTestContext, text: string) =>
  send('POST', `${segmentsPath}/big/imports?mode=merge`, { text, type: 'text/csv' })
/** Creates a segment. */
export const createSegment = ({ send }: LimitTestContext, key: string, properties: object) =>
  send('POST', segmentsPath, { body: { key, name: key, ...properties } })
/** Changes a segment with a JSON Patch. */
export const patchSegment = ({ send }: LimitTestContext, key: string, body: unknown) =>
  send('PATCH', `${segmentsPath}/${key}`, { body })
/** Changes the flag, with a JSON Patch unless another media type is given. */
export const patchFlag = ({ send }: LimitTestContext, body: unknown, type?: string) =>
  send('PATCH', flagPath, { body, type })

let keyCount = 0
/** Returns a key that no other request uses. */
export const uniqueKey = (name: string) => `${name}-${keyCount++}`

/** Creates a migration flag and returns its key. */
export async function createMigrationFlag({ send }: LimitTestContext): Promise<string> {
  const key = uniqueKey('migration')
  await send('POST', '/flags/web', {
    body: { key, name: key, purpose: 'migration', migrationSettings: { stageCount: 6, contextKind: 'organization' } },
  })
  return key
}
