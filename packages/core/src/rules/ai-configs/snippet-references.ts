/** A reference of a prompt to a snippet: `{{> tone }}` for the newest version, `{{> tone@3 }}` for version 3. */
export interface SnippetReference {
  readonly key: string
  /** Omitted for the newest version. */
  readonly version?: number
}

/** The tag is a Mustache partial. Mustache renders it as an empty text, so it is expanded first. */
const tag = /\{\{>\s*([\w.-]+)(?:@([1-9]\d{0,8}))?\s*\}\}/g

/** The prompts of a variation: the contents of its messages, and its instructions. */
interface Prompts {
  readonly messages?: readonly { readonly content: string }[] | undefined
  readonly instructions?: string | undefined
}

/** Returns the references of all prompts of a variation to snippets. */
export function snippetsOf({ messages = [], instructions = '' }: Prompts): SnippetReference[] {
  return [...messages.map(({ content }) => content), instructions].flatMap(snippetReferences)
}

/** Returns the references of a prompt to snippets, in their order. */
export function snippetReferences(prompt: string): SnippetReference[] {
  return Array.from(prompt.matchAll(tag), ([, key = '', version]) => referenceOf(key, version))
}

/**
 * Replaces the references of a prompt by the texts of the snippets. References in the text of a snippet are not
 * expanded.
 *
 * @param textOf returns the text of a snippet; undefined leaves the reference as it is.
 */
export function expandSnippets(prompt: string, textOf: (reference: SnippetReference) => string | undefined): string {
  return prompt.replace(
    tag,
    (found: string, key: string, version?: string) => textOf(referenceOf(key, version)) ?? found,
  )
}

function referenceOf(key: string, version: string | undefined): SnippetReference {
  return version === undefined ? { key } : { key, version: Number(version) }
}
