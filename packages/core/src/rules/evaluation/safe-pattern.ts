/** Maximum number of steps of a search by the built-in RegExp; a few milliseconds. */
const maxSteps = 1_000_000

/**
 * Compiles a regular expression for an engine that searches in time linear in the text, e.g. RE2.
 *
 * @returns a function that tests if a text contains a match.
 * @throws Error for a pattern that the engine does not support; the pattern then matches nothing.
 */
export type CompilePattern = (source: string) => (text: string) => boolean

/**
 * Compiles a regular expression to a test whose time is bounded for every pattern and every text.
 *
 * Patterns are those of JavaScript. The built-in RegExp backtracks, in the worst case once for each way to split the
 * text. It is used where the bound on its steps for this text is small. Where the bound is large, `compilePattern`
 * compiles the pattern for a linear engine, which supports neither backreferences nor lookarounds.
 *
 * @param source the regular expression.
 * @param compilePattern default: none. Without it, and for a pattern that it does not support, a search that could be
 *   slow is not run and does not match.
 * @returns undefined for a text that is not a regular expression; it matches nothing.
 */
export function safePattern(
  source: string,
  compilePattern: CompilePattern = neverMatches,
): ((text: string) => boolean) | undefined {
  const native = nativePattern(source)
  if (!native) return undefined
  const bound = stepBound(source)
  let linear: ReturnType<CompilePattern> | undefined
  return (text) => {
    if (bound(text.length) <= maxSteps) return native.test(text)
    linear ??= linearPattern(source, compilePattern) ?? neverMatches(source)
    return linear(text)
  }
}

/**
 * Returns true if a pattern can match some text: it is a valid regular expression, and either its search is fast at
 * least for an empty text, or the linear engine supports it.
 */
export function isSearchable(source: string, compilePattern: CompilePattern): boolean {
  if (!nativePattern(source)) return false
  return stepBound(source)(0) <= maxSteps || linearPattern(source, compilePattern) !== undefined
}

const neverMatches: CompilePattern = () => () => false

function nativePattern(source: string): RegExp | undefined {
  try {
    return new RegExp(source)
  } catch {
    return undefined
  }
}

function linearPattern(source: string, compilePattern: CompilePattern): ReturnType<CompilePattern> | undefined {
  try {
    return compilePattern(source)
  } catch {
    return undefined
  }
}

/**
 * Returns the bound on the steps of backtracking, by the length of the text: a repetition can end at any index, each
 * choice and each optional part doubles the number of ways to match, and a search begins at each index. A repeated
 * group has no bound.
 */
function stepBound(source: string): (length: number) => number {
  // Replaces each escape and each character class by one character.
  const plain = source.replaceAll(/\\(?:k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]/gs, (match) =>
    /^\\[1-9k]/.test(match) ? '\u0000' : 'x',
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
