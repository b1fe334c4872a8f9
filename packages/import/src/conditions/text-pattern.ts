/** The longest text that a clause can hold. */
const longest = 1000

/** A text as a pattern that matches it alone. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/**
 * A pattern that matches a text whatever the case of its letters: exactly where both are the same in lower case.
 *
 * @param text in lower case.
 * @param place where in a text it is to be found.
 * @returns undefined where it would be longer than a clause can hold.
 */
export function anyCasePattern(text: string, place: 'start' | 'end' | 'anywhere'): string | undefined {
  const letters = Array.from(text, anyCase).join('')
  const pattern = `${place === 'start' ? '^' : ''}${letters}${place === 'end' ? '$' : ''}`
  return pattern.length > longest ? undefined : pattern
}

function anyCase(letter: string): string {
  const forms = formsOf(letter)
  return forms.length === 1 ? escaped(letter) : `[${forms.map(escaped).join('')}]`
}

/** All single letters that are this one in lower case, such as both signs that are `k`. */
function formsOf(letter: string): readonly string[] {
  lowered ??= upperForms()
  return [...(lowered.get(letter) ?? []), letter]
}

let lowered: ReadonlyMap<string, readonly string[]> | undefined

function upperForms(): ReadonlyMap<string, readonly string[]> {
  const forms = new Map<string, string[]>()
  for (let code = 0; code < 0xd800; code++) {
    const letter = String.fromCharCode(code)
    const lower = letter.toLowerCase()
    if (lower !== letter && lower.length === 1) forms.set(lower, [...(forms.get(lower) ?? []), letter])
  }
  return forms
}

/**
 * The pattern of the IPv4 addresses in a range.
 *
 * @param range such as `10.0.0.0/8`, or one address.
 * @returns undefined for what is no such range.
 */
export function addressPattern(range: string): string | undefined {
  const found = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/.exec(range)
  if (!found) return undefined
  const octets = found.slice(1, 5).map(Number)
  const bits = Number(found[5] ?? 32)
  if (bits > 32 || octets.some((octet) => octet > 255)) return undefined
  return `^${octets.map((octet, at) => octetPattern(octet, Math.min(8, Math.max(0, bits - at * 8)))).join('\\.')}$`
}

const anyOctet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'

/** The octets that share so many of their first bits with this one. */
function octetPattern(octet: number, bits: number): string {
  if (bits === 0) return anyOctet
  const count = 2 ** (8 - bits)
  const first = octet - (octet % count)
  if (count === 1) return String(octet)
  return `(?:${Array.from({ length: count }, (_, at) => first + at).join('|')})`
}

/**
 * A regular expression of RE2 in the words of JavaScript, where it means the same in both.
 *
 * @returns undefined for one that could mean something else, or that a clause cannot hold.
 */
export function portablePattern(source: string): string | undefined {
  if (source.length > longest) return undefined
  const plain = source.replaceAll(/\\[\\^$.*+?()[\]{}|/\-dwbDWB]/g, '')
  // Left are escapes of other letters, groups with options, names and classes of POSIX: all differ.
  if (/\\|\(\?(?!:)|\[\[|\[:|\[\^?\]|\{,/.test(plain)) return undefined
  try {
    new RegExp(source)
    return source
  } catch {
    return undefined
  }
}
