/** Returns a JSON value as text in one line. */
export function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Parses JSON; returns the reason when the text is not JSON. */
export function readJson(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** Reads a comma-separated list of tags. */
export function readTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

/** Reads the lines of a text without empty ones. */
export function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
