import type { EngineRequest } from '@halyard/core'

/** Parameters of a request by name. Those without a value count as absent (RFC 6749, 3.1). */
export interface Parameters {
  readonly values: Readonly<Record<string, string | undefined>>
  /** Names that occur more than once, which RFC 6749, 3.1 and 3.2 forbid. */
  readonly repeated: readonly string[]
}

const maxBodyBytes = 64 * 1024

/** Parses the query of a request. */
export function queryParameters({ query }: EngineRequest): Parameters {
  return collect([...new URLSearchParams(query)])
}

/** Reads the form in the body of a request; undefined for a body that is not a form or is too long. */
export async function formParameters({ header, body }: EngineRequest): Promise<Parameters | undefined> {
  const mediaType = (header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/x-www-form-urlencoded') return undefined
  if (body.kind === 'parsed') return collect(entriesOf(body.value))
  const text = await body.text(maxBodyBytes)
  return text === undefined ? undefined : collect([...new URLSearchParams(text)])
}

/** Returns the entries of a form that a body parser has read: lists contain the values of repeated names. */
function entriesOf(value: unknown): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) =>
    (Array.isArray(item) ? item : [item]).map((each) => [name, String(each)] as const),
  )
}

function collect(entries: readonly (readonly [string, string])[]): Parameters {
  const present = entries.filter(([, value]) => value !== '')
  const names = present.map(([name]) => name)
  const repeated = [...new Set(names.filter((name, i) => names.indexOf(name) !== i))]
  return { values: Object.assign(Object.create(null), Object.fromEntries(present)), repeated }
}
