/** Maximum length of a text in a clause. */
const maxLength = 1000

/** Returns a pattern that matches only this text. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/**
 * Returns a case-insensitive pattern for a text: it matches exactly where the text would occur if both texts were in
 * lower case.
 *
 * @param text in lower case.
 * @param position where in a text it must occur.
 * @returns undefined when the pattern would be longer than a clause allows.
 */
export function anyCasePattern(text: string, position: 'start' | 'end' | 'anywhere'): string | undefined {
  const letters = Array.from(text, anyCaseLetter).join('')
  const pattern = `${position === 'start' ? '^' : ''}${letters}${position === 'end' ? '$' : ''}`
  return pattern.length > maxLength ? undefined : pattern
}

function anyCaseLetter(letter: string): string {
  const forms = formsOf(letter)
  return forms.length === 1 ? escapePattern(letter) : `[${forms.map(escapePattern).join('')}]`
}

/** Returns all letters whose lower case is the given letter, e.g. both characters that become `k`. */
function formsOf(letter: string): readonly string[] {
  formsByLowerCase ??= upperForms()
  return [...(formsByLowerCase.get(letter) ?? []), letter]
}

let formsByLowerCase: ReadonlyMap<string, readonly string[]> | undefined

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
 * Returns the pattern of the IPv4 addresses in a range.
 *
 * @param range such as `10.0.0.0/8`, or one address.
 * @returns undefined when the text is not such a range.
 */
export function addressPattern(range: string): string | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/.exec(range)
  if (!match) return undefined
  const octets = match.slice(1, 5).map(Number)
  const bits = Number(match[5] ?? 32)
  if (bits > 32 || octets.some((octet) => octet > 255)) return undefined
  return `^${octets.map((octet, index) => octetPattern(octet, Math.min(8, Math.max(0, bits - index * 8)))).join('\\.')}$`
}

const anyOctet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'

/** Returns a pattern of the octets that share this number of leading bits with an octet. */
function octetPattern(octet: number, bits: number): string {
  if (bits === 0) return anyOctet
  const count = 2 ** (8 - bits)
  const first = octet - (octet % count)
  if (count === 1) return String(octet)
  return `(?:${Array.from({ length: count }, (_, index) => first + index).join('|')})`
}

/**
 * Returns a regular expression of RE2 for JavaScript, when it means the same in both.
 *
 * @returns undefined when it could mean something else, or is too long for a clause.
 */
export function portablePattern(source: string): string | undefined {
  if (source.length > maxLength) return undefined
  const withoutEscapes = source.replaceAll(/\\[\\^$.*+?()[\]{}|/\-dwbDWB]/g, '')
  // Escapes of other letters, groups with options or names, and POSIX classes have other meanings in RE2.
  if (/\\|\(\?(?!:)|\[\[|\[:|\[\^?\]|\{,/.test(withoutEscapes)) return undefined
  try {
    new RegExp(source)
    return source
  } catch {
    return undefined
  }
}
