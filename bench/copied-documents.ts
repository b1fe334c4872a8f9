import type { Change, Storage, StoredRecord } from '@halyard/core/storage'

type DocumentRecord = Extract<StoredRecord, { readonly kind: 'document' }>

/** The documents of one resource, from which the documents of others are copied. */
export interface CopiedResource {
  /** Returns true for the documents of the resource. */
  isOf(id: DocumentRecord['id']): boolean
  /** Returns the value that the copy with number `n` contains instead of a value. */
  copy(value: unknown, n: number): unknown
}

/** Properties with a time that differs between copies, ms. */
const times: ReadonlySet<string> = new Set(['createdAt', 'lastModified'])

/** The flag with the key `f`. */
export const flagF: CopiedResource = {
  isOf: ({ collection, scope, key }) =>
    (collection === 'flag' && key === 'f') ||
    /(^|:)flag\/f(:|$)/.test(scope) ||
    (collection === 'flag-config' && key === 'f'),
  copy(value, n) {
    if (value === 'f') return `f${n}`
    if (value === 'Flag') return `Flag f${n}`
    return typeof value === 'string' ? value.replace(/(^|:)flag\/f(?=:|$)/, `$1flag/f${n}`) : value
  },
}

/** The segment with the key `s`. */
export const segmentS: CopiedResource = {
  isOf: ({ collection, key }) => collection === 'segment' && key === 's',
  copy(value, n) {
    if (value === 's') return `s${n}`
    return value === 'Segment' ? `Segment s${n}` : value
  },
}

/**
 * Returns a member with the email address `m@example.com` and the first name `Ann`.
 *
 * @param memberId a UUID.
 */
export function memberM(memberId: string): CopiedResource {
  const email = 'm@example.com'
  return {
    isOf: ({ collection, key }) =>
      (collection === 'member' && key === memberId) || (collection === 'member-email' && key === email),
    copy(value, n) {
      if (value === memberId) return `${memberId.slice(0, -6)}${n.toString(16).padStart(6, '0')}`
      if (value === email) return `m${n}@example.com`
      return value === 'Ann' ? `Ann ${n}` : value
    },
  }
}

/**
 * Yields changes that insert copies of a resource. Each has keys and a name of its own, and is a second older than the
 * previous copy.
 *
 * @param count number of resources, including the original.
 */
export async function* copiesOf(
  storage: Storage,
  account: string,
  { isOf, copy }: CopiedResource,
  count: number,
): AsyncGenerator<Change> {
  const originals: DocumentRecord[] = []
  for await (const chunk of storage.account(account).dump()) {
    for (const record of chunk) if (record.kind === 'document' && isOf(record.id)) originals.push(record)
  }
  const size = 1_000
  for (let first = 2; first <= count; first += size) {
    const numbers = Array.from({ length: Math.min(size, count + 1 - first) }, (_, i) => first + i)
    const records = numbers.flatMap((n) =>
      originals.map((original): StoredRecord => {
        const copied = (property: string, value: unknown) =>
          times.has(property) ? (value as number) - 1000 * n : copy(value, n)
        return JSON.parse(JSON.stringify(original, copied))
      }),
    )
    yield { do: 'load', records }
  }
}
