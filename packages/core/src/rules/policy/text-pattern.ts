/**
 * A text in which `*` matches any sequence of characters, and `${roleAttribute/name}` matches a value of the caller's
 * role attribute. Names, tags, view keys, property values and actions in statements are patterns
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 */
export interface TextPattern {
  readonly source: string
  readonly parts: readonly PatternPart[]
}

export type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'anything' }
  | { readonly kind: 'attribute'; readonly name: string }

/** Values of role attributes of a member or team, by attribute name. */
export type RoleAttributes = Readonly<Record<string, readonly string[]>>

export type TextTest = (text: string) => boolean

// A run of stars is read as one star, which is equivalent and cheaper to match.
const TOKEN = /(\*+)|%([0-7][0-9A-Fa-f])|\$\{roleAttribute\/([A-Za-z0-9._-]+)\}|([^*%${}:;,/\s]+)/gy

/**
 * Parses a pattern. `%3A` means the character `:`, so that keys can be written as in addresses.
 *
 * @returns the pattern, or the reason why the text is not valid.
 */
export function parseTextPattern(source: string): TextPattern | string {
  const parts: PatternPart[] = []
  let end = 0
  for (const token of source.matchAll(TOKEN)) {
    parts.push(patternPart(token))
    end = token.index + token[0].length
  }
  if (end < source.length) return syntaxError(source, end)
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

function syntaxError(source: string, index: number): string {
  const character = source[index] as string
  if ('{$}'.includes(character))
    return `has a bad placeholder at \`${source.slice(index)}\`: write \${roleAttribute/name}`
  if (character === '%') return `has a bad escape at \`${source.slice(index)}\`: write two hex digits, for example %3A`
  return `must not contain \`${character}\` in \`${source}\``
}

/** Returns true if a pattern matches every text, because it consists of stars only. */
export function matchesEverything(pattern: TextPattern): boolean {
  return pattern.parts.every((part) => part.kind === 'anything')
}

/**
 * Compiles a pattern for one caller.
 *
 * A value is taken literally even if it contains `*`: values are data, and data must not widen a rule. An attribute
 * without values matches nothing. No regular expression is built from input, and the time is never exponential in the
 * input.
 */
export function compileTextPattern(pattern: TextPattern, attributes: RoleAttributes): TextTest {
  if (matchesEverything(pattern)) return () => true
  const choices = pattern.parts.map((part) => valuesOf(part, attributes))
  const hasStar = choices.includes(undefined)
  const hasAttribute = pattern.parts.some((part) => part.kind === 'attribute')
  if (!hasAttribute) return hasStar ? glob(choices) : exactly(choices)
  return choices.length === 1 ? anyOf(choices[0] as readonly string[]) : sequence(choices)
}

/**
 * Returns a text that the pattern matches, to test the effect of granting it; an attribute without values contributes
 * nothing.
 */
export function sampleText(pattern: TextPattern, attributes: RoleAttributes): string {
  return pattern.parts.map((part) => valuesOf(part, attributes)?.[0] ?? '').join('')
}

/** Returns the texts that a part matches, or undefined if it matches any text. */
function valuesOf(part: PatternPart, attributes: RoleAttributes): readonly string[] | undefined {
  if (part.kind === 'anything') return undefined
  if (part.kind === 'text') return [part.text]
  // Own properties only: `${roleAttribute/constructor}` must not match anything.
  return Object.hasOwn(attributes, part.name) ? (attributes[part.name] as readonly string[]) : []
}

type Choices = readonly (readonly string[] | undefined)[]

function exactly(choices: Choices): TextTest {
  const expected = choices.map((choice) => choice?.[0]).join('')
  return (text) => text === expected
}

function anyOf(values: readonly string[]): TextTest {
  const set = new Set(values)
  return (text) => set.has(text)
}

/**
 * Matches texts between stars: the first piece must begin the text, the last piece must end it, and each other piece is
 * taken at its first occurrence after the previous piece. Taking the first occurrence never prevents a match, because
 * it leaves the most text for the remaining pieces; so no backtracking is needed, and the time is at most (length of
 * text) x (longest piece).
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
    if (text.length < shortest || !startsWithAt(text, opening, 0) || !startsWithAt(text, closing, end)) return false
    let from = opening.length
    for (const middle of middles) {
      const index = text.indexOf(middle, from)
      if (index < 0 || index + middle.length > end) return false
      from = index + middle.length
    }
    return true
  }
}

/**
 * Returns the same as `text.startsWith(piece, index)`, but several times faster for the short pieces of names, most of
 * which differ at the first character.
 */
function startsWithAt(text: string, piece: string, index: number): boolean {
  for (let i = 0; i < piece.length; i++) if (text.charCodeAt(index + i) !== piece.charCodeAt(i)) return false
  return true
}

/**
 * Matches parts with several choices each: it tracks all positions at which the previous part can end. There are never
 * more positions than characters, so ten placeholders with ten values each take linear time instead of 10^10
 * combinations.
 */
function sequence(choices: Choices): TextTest {
  return (text) => {
    let ends: ReadonlySet<number> = new Set([0])
    for (const choice of choices) {
      ends = choice ? positionsAfter(ends, choice, text) : allPositionsFrom(smallest(ends), text)
      if (ends.size === 0) return false
    }
    return ends.has(text.length)
  }
}

function allPositionsFrom(start: number, text: string): ReadonlySet<number> {
  return new Set(Array.from({ length: text.length - start + 1 }, (_, offset) => start + offset))
}

function smallest(positions: ReadonlySet<number>): number {
  let least = Number.POSITIVE_INFINITY
  for (const position of positions) least = Math.min(least, position)
  return least
}

function positionsAfter(ends: ReadonlySet<number>, choice: readonly string[], text: string): ReadonlySet<number> {
  const next = new Set<number>()
  for (const end of ends) {
    for (const value of choice) if (text.startsWith(value, end)) next.add(end + value.length)
  }
  return next
}
