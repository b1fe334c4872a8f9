import type { Fields } from '../port.ts'

// Text of a database can contain every character except U+0000, which users may send. U+0000 is stored as U+0001
// U+0001, and U+0001 as U+0001 U+0002. This keeps the order by code point. Bodies need none of this, because JSON text
// contains neither character unescaped. A lone surrogate has no UTF-8 encoding and becomes U+FFFD.
const nul = '\u0000'
const escapeCharacter = '\u0001'
const escapedNul = '\u0001\u0001'
const escapedMark = '\u0001\u0002'
const escapedPair = new RegExp(`${escapeCharacter}(.)`, 'gs')

/** Escapes text so that a database can store it. Nearly every text is returned unchanged. */
export function escapeText(text: string): string {
  if (!text.includes(nul) && !text.includes(escapeCharacter)) return text
  return text.replaceAll(escapeCharacter, escapedMark).replaceAll(nul, escapedNul)
}

/** Returns the text that `escapeText` escaped. */
export function unescapeText(text: string): string {
  if (!text.includes(escapeCharacter)) return text
  return text.replace(escapedPair, (pair) => (pair === escapedNul ? nul : escapeCharacter))
}

// Matches, in JSON text, the characters that databases refuse and the character with which `escapeText` escapes them.
const unusualJson = /\\u(000[01]|d[89a-f])/

/**
 * Returns fields, or a value that is compared with one of them, as JSON text whose content a database can query. Unlike
 * other JSON text it contains neither U+0000 nor a lone surrogate.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!unusualJson.test(json)) return json
  return JSON.stringify(value, (_name, part) => (typeof part === 'string' ? escapeText(wellFormed(part)) : part))
}

/** Parses the output of `storableJson`. */
export function fieldsFromJson(json: string): Fields {
  if (!json.includes('\\u0001')) return JSON.parse(json)
  return JSON.parse(json, (_name, value) => (typeof value === 'string' ? unescapeText(value) : value))
}

const surrogate = /[\ud800-\udfff]/

/** Returns text as the database returns it: a lone surrogate becomes U+FFFD. */
export function wellFormed(text: string): string {
  if (!surrogate.test(text)) return text
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
