import Mustache from 'mustache'

/** Maximum number of parsed templates that are cached. */
const maxCached = 1_000

const parsed = new Map<string, unknown>()

/** Mustache's own cache has no limit, and prompts change while a process runs. */
const templateCache = {
  get: (key: string) => parsed.get(key),
  set(key: string, value: unknown) {
    if (parsed.size >= maxCached) parsed.clear()
    parsed.set(key, value)
  },
  clear: () => parsed.clear(),
}

const writer: InstanceType<typeof Mustache.Writer> = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ new Mustache.Writer(),
  { templateCache },
)

/** Prompts are plain text, so nothing is escaped for HTML. */
const unescaped = { escape: (value: unknown) => value as string }

/**
 * Renders a prompt as a Mustache template. A prompt that is not a valid template is returned as it is.
 *
 * @param variables values by name.
 */
export function renderPrompt(prompt: string, variables: Readonly<Record<string, unknown>>): string {
  if (templateError(prompt) !== undefined) return prompt
  return writer.render(prompt, variables, undefined, unescaped)
}

/** Returns why a prompt is not a valid Mustache template, e.g. `Unclosed tag at 12`; undefined for a valid one. */
export function templateError(prompt: string): string | undefined {
  try {
    writer.parse(prompt)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
