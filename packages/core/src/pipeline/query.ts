import { fail, type Fault } from '../operation/errors.ts'

/**
 * Reads a raw query into its parameters; of a repeated one the last counts.
 *
 * @throws ApiError `invalid_request` for broken percent-encoding and for NUL, which no storage can hold.
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
    if (name === undefined || value === undefined || name.includes('\0') || value.includes('\0')) {
      faults.push({ attribute: name?.replaceAll('\0', '') ?? 'query', reason: 'must be valid percent-encoded text' })
    } else values[name] = value
  }
  if (faults.length > 0) fail('invalid_request', { errors: faults })
  return values
}

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
