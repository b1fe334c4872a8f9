import { RE2JS } from 're2js'

/** How many steps a search may take at most by the platform's own engine; a few milliseconds. */
const mostSteps = 1_000_000

/**
 * Makes the test whether a text matches a regular expression, in a time that no pattern and no text can make long.
 *
 * Patterns are those of JavaScript, and are searched by its engine where the bound on its steps for this text is small.
 * That engine goes back and tries again, in the worst case as many times as there are ways to split the text. Where the
 * bound is large, an engine searches that takes time linear in the text (RE2). It knows no backreferences and no
 * lookarounds: a pattern that has them and could take long does not match.
 *
 * @returns undefined for what is no regular expression; it matches nothing.
 */
export function safePattern(source: string): ((text: string) => boolean) | undefined {
  const native = nativePattern(source)
  if (!native) return undefined
  const bound = stepBound(source)
  let linear: RE2JS | undefined | null = null
  return (text) => {
    if (bound(text.length) <= mostSteps) return native.test(text)
    if (linear === null) linear = linearPattern(source)
    return linear?.matcher(text).find() ?? false
  }
}

function nativePattern(source: string): RegExp | undefined {
  try {
    return new RegExp(source)
  } catch {
    return undefined
  }
}

function linearPattern(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source)
  } catch {
    return undefined
  }
}

/**
 * How many steps going back can take at most, by the length of the text: each repetition can end anywhere, each choice and
 * each part that may be missing doubles the ways, and a search begins at each place. A repeated group has no such bound.
 */
function stepBound(source: string): (length: number) => number {
  // Escapes and classes stand for one character, whatever they hold.
  const plain = source.replaceAll(/\\(?:k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]/gs, (found) =>
    /^\\[1-9k]/.test(found) ? '\u0000' : 'x',
  )
  const repeatsGroup = /\)[*+{]/.test(plain)
  const refersBack = plain.includes('\u0000')
  if (repeatsGroup) return () => Number.POSITIVE_INFINITY
  const bare = plain.replaceAll(/\(\?(?:<?[=!]|:|<[^>]*>)/g, '(')
  const repetitions = bare.match(/[*+{]/g)?.length ?? 0
  const choices = bare.match(/[?|]/g)?.length ?? 0
  const exponent = repetitions + 1 + (refersBack ? 1 : 0)
  return (length) => 2 ** choices * (length + 1) ** exponent
}
