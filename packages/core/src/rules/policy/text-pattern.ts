/**
 * A text in which `*` stands for any run of characters and `${roleAttribute/name}` for a value of the caller's.
 * Names, tags, view keys, property values and actions in statements are such texts (D15).
 */
export interface TextPattern {
  readonly source: string
  readonly parts: readonly PatternPart[]
}

export type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'anything' }
  | { readonly kind: 'attribute'; readonly name: string }

/** The values of a member or team by attribute name. */
export type RoleAttributes = Readonly<Record<string, readonly string[]>>

export type TextTest = (text: string) => boolean

// One star is as good as several in a row, and reading them as one keeps matching cheap.
const TOKEN = /(\*+)|%([0-7][0-9A-Fa-f])|\$\{roleAttribute\/([A-Za-z0-9._-]+)\}|([^*%${}:;,/\s]+)/gy

/**
 * Reads a pattern. `%3A` stands for the character `:`, so that keys can be spelled as addresses spell them.
 *
 * @returns the pattern, or in words why the text is none.
 */
export function parseTextPattern(source: string): TextPattern | string {
  const parts: PatternPart[] = []
  let end = 0
  for (const token of source.matchAll(TOKEN)) {
    parts.push(patternPart(token))
    end = token.index + token[0].length
  }
  if (end < source.length) return whyNot(source, end)
  return source === '' ? 'has an empty name or qualifier' : { source, parts: joinTexts(parts) }
}

function patternPart([, star, hex, attribute, text]: RegExpMatchArray): PatternPart {
  if (star !== undefined) return { kind: 'anything' }
  if (attribute !== undefined) return { kind: 'attribute', name: attribute }
  return { kind: 'text', text: text ?? String.fromCharCode(Number.parseInt(hex as string, 16)) }
}

function joinTexts(parts: readonly PatternPart[]): PatternPart[] {
  const joined: PatternPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.kind !== 'text' || last?.kind !== 'text') joined.push(part)
    else joined[joined.length - 1] = { kind: 'text', text: last.text + part.text }
  }
  return joined
}

function whyNot(source: string, at: number): string {
  const character = source[at] as string
  if ('{$}'.includes(character)) return `has a bad placeholder at \`${source.slice(at)}\`: write \${roleAttribute/name}`
  if (character === '%') return `has a bad escape at \`${source.slice(at)}\`: write two hex digits, for example %3A`
  return `must not contain \`${character}\` in \`${source}\``
}

/** Whether a pattern holds for every text: it is nothing but stars. */
export function matchesEverything(pattern: TextPattern): boolean {
  return pattern.parts.every((part) => part.kind === 'anything')
}

/**
 * Compiles a pattern for one caller.
 *
 * A value is taken literally, also when it contains `*`: values are data, and data must not widen a rule. An
 * attribute without values matches nothing. No regular expression is built from input, and no time is exponential
 * in it.
 */
export function compileTextPattern(pattern: TextPattern, attributes: RoleAttributes): TextTest {
  if (matchesEverything(pattern)) return () => true
  const choices = pattern.parts.map((part) => valuesOf(part, attributes))
  const hasStar = choices.includes(undefined)
  const hasAttribute = pattern.parts.some((part) => part.kind === 'attribute')
  if (!hasAttribute) return hasStar ? glob(choices) : exactly(choices)
  return choices.length === 1 ? oneOf(choices[0] as readonly string[]) : sequence(choices)
}

/** A text that the pattern holds for, to try what is missing; there is none when an attribute has no values. */
export function sampleText(pattern: TextPattern, attributes: RoleAttributes): string {
  return pattern.parts.map((part) => valuesOf(part, attributes)?.[0] ?? '').join('')
}

/** What may stand for a part, or undefined for anything at all. */
function valuesOf(part: PatternPart, attributes: RoleAttributes): readonly string[] | undefined {
  if (part.kind === 'anything') return undefined
  if (part.kind === 'text') return [part.text]
  // Own properties only: `${roleAttribute/constructor}` must find nothing.
  return Object.hasOwn(attributes, part.name) ? (attributes[part.name] as readonly string[]) : []
}

type Choices = readonly (readonly string[] | undefined)[]

function exactly(choices: Choices): TextTest {
  const wanted = choices.map((choice) => choice?.[0]).join('')
  return (text) => text === wanted
}

function oneOf(values: readonly string[]): TextTest {
  const set = new Set(values)
  return (text) => set.has(text)
}

/**
 * Texts between stars: the first must open the text, the last must close it, each of the others is taken where it
 * first occurs after the one before. Taking the first occurrence never spoils a match, since it leaves the most
 * text to the rest; so nothing is ever tried twice, and the whole costs at most (length of text) x (longest piece).
 */
function glob(choices: Choices): TextTest {
  const pieces = ['']
  for (const choice of choices) {
    if (choice) pieces.push((pieces.pop() as string) + choice[0])
    else pieces.push('')
  }
  const opening = pieces[0] as string
  const middles = pieces.slice(1, -1)
  const closing = pieces.at(-1) as string
  const shortest = pieces.join('').length
  return (text) => {
    const end = text.length - closing.length
    if (text.length < shortest || !standsAt(text, opening, 0) || !standsAt(text, closing, end)) return false
    let from = opening.length
    for (const middle of middles) {
      const at = text.indexOf(middle, from)
      if (at < 0 || at + middle.length > end) return false
      from = at + middle.length
    }
    return true
  }
}

/** `text.startsWith(piece, at)`, several times faster for the short pieces of names, of which most fail at once. */
function standsAt(text: string, piece: string, at: number): boolean {
  for (let i = 0; i < piece.length; i++) if (text.charCodeAt(at + i) !== piece.charCodeAt(i)) return false
  return true
}

/**
 * Several choices after each other: keeps all places where the part before can have ended. There are never more
 * places than characters, so ten placeholders with ten values each stay a walk and never become 10^10 texts.
 */
function sequence(choices: Choices): TextTest {
  return (text) => {
    let ends: ReadonlySet<number> = new Set([0])
    for (const choice of choices) {
      ends = choice ? placesAfter(ends, choice, text) : placesFrom(first(ends), text)
      if (ends.size === 0) return false
    }
    return ends.has(text.length)
  }
}

function placesFrom(start: number, text: string): ReadonlySet<number> {
  return new Set(Array.from({ length: text.length - start + 1 }, (_, offset) => start + offset))
}

function first(places: ReadonlySet<number>): number {
  let least = Number.POSITIVE_INFINITY
  for (const place of places) least = Math.min(least, place)
  return least
}

function placesAfter(ends: ReadonlySet<number>, choice: readonly string[], text: string): ReadonlySet<number> {
  const next = new Set<number>()
  for (const end of ends) {
    for (const value of choice) if (text.startsWith(value, end)) next.add(end + value.length)
  }
  return next
}
