import { agentSkillRevisions } from '../../../models/agent-skills/agent-skill.ts'
import { promptSnippetRevisions, promptSnippets } from '../../../models/prompt-snippets/prompt-snippet.ts'
import type { ValidationError } from '../../../operation/errors.ts'
import { templateError } from '../../../rules/ai-configs/prompt-template.ts'
import { type SnippetReference, snippetReferences } from '../../../rules/ai-configs/snippet-references.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { VariationPatch } from './ai-config-variation-schema.ts'

/**
 * Validates the prompts and the skills of a variation: prompts must be Mustache templates, and snippets and skills must
 * exist in the version that the variation names. The commit requires that they still exist, and a snippet or skill that
 * a variation names cannot be deleted.
 */
export async function checkTexts(
  tx: Reader,
  projectKey: string,
  { messages = [], instructions, skills = [] }: VariationPatch,
): Promise<readonly ValidationError[]> {
  const prompts = messages.map(({ content }, index) => ({ attribute: `messages.${index}.content`, prompt: content }))
  if (instructions !== undefined) prompts.push({ attribute: 'instructions', prompt: instructions })
  const [storedSkills, ...snippetErrors] = await Promise.all([
    tx.getMany(
      agentSkillRevisions,
      skills.map(({ key, version }) => ({ projectKey, skillKey: key, revision: String(version) })),
    ),
    ...prompts.map(({ attribute, prompt }) => checkPrompt(tx, projectKey, { attribute, prompt })),
  ])
  const skillErrors = storedSkills.flatMap((stored, index) =>
    stored ? [] : [{ attribute: `skills.${index}`, reason: 'must be a version of an agent skill of the project' }],
  )
  return [...snippetErrors.flat(), ...skillErrors]
}

/** A prompt, and the attribute of the request that contains it. */
interface PromptAttribute {
  readonly attribute: string
  readonly prompt: string
}

async function checkPrompt(
  tx: Reader,
  projectKey: string,
  { attribute, prompt }: PromptAttribute,
): Promise<readonly ValidationError[]> {
  const error = templateError(prompt)
  if (error !== undefined) return [{ attribute, reason: `must be a Mustache template: ${error}` }]
  const references = snippetReferences(prompt)
  if (references.length === 0) return []
  const stored = await Promise.all(references.map((reference) => findSnippet(tx, projectKey, reference)))
  const missing = references.filter((_, index) => !stored[index]).map(nameOf)
  return missing.length === 0
    ? []
    : [{ attribute, reason: `must refer to prompt snippets of the project: ${missing.join(', ')} does not exist` }]
}

function findSnippet(tx: Reader, projectKey: string, { key, version }: SnippetReference) {
  const keys = { projectKey, snippetKey: key }
  return version === undefined
    ? tx.get(promptSnippets, keys)
    : tx.get(promptSnippetRevisions, { ...keys, revision: String(version) })
}

function nameOf({ key, version }: SnippetReference): string {
  return version === undefined ? key : `${key}@${version}`
}
