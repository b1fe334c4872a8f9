import { type Fault, fail } from '../operation/errors.ts'
import { textFault } from '../rules/json-guard.ts'

/**
 * Reads a raw query into its parameters; of a repeated one the last counts.
 *
 * @throws ApiError `invalid_request` for broken percent-encoding, and for what no storage can hold.
 */
export function readQuery(raw: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null)
  if (raw === '') return values
  const faults: Fault[] = []
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const cut = pair.indexOf('=')
    const name = decode(cut < 0 ? pair : pair.slice(0, cut))
    const value = decode(cut < 0 ? '' : pair.slice(cut + 1))
    if (name === undefined || value === undefined || (textFault(name) ?? textFault(value)) !== undefined) {
      faults.push({ attribute: fit(name ?? 'query'), reason: 'must be valid percent-encoded text' })
    } else values[name] = value
  }
  if (faults.length > 0) fail('invalid_request', { errors: faults })
  return values
}

/**
 * Looks at what a call in process has besides its body, as `readQuery` does over a transport.
 *
 * @param input texts, and lists of them, by name; whatever is neither is for the schema to refuse.
 * @throws ApiError `invalid_request` for what no storage can hold.
 */
export function checkQuery(input: Readonly<Record<string, unknown>>): void {
  const faults: Fault[] = []
  for (const name in input) {
    if (name === 'body') continue
    const value = input[name]
    const reason = textFault(name) ?? (Array.isArray(value) ? value.map(textFault).find(Boolean) : textFault(value))
    if (reason !== undefined) faults.push({ attribute: fit(name), reason })
  }
  if (faults.length > 0) fail('invalid_request', { errors: faults })
}

function fit(name: string): string {
  return name.replaceAll('\0', '').replaceAll(/\p{Cs}/gu, '')
}

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
