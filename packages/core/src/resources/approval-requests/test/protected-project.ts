import { approvalProject } from './approval-project.ts'

/** Error of a change without the required approval. */
export const refusal = {
  code: 'method_not_allowed',
  message: 'The environment production requires approval of this change: create an approval request',
}

/**
 * Creates a project in which `guard` makes production require approval for flags, or only for flags with one of the
 * tags.
 */
export async function protectedProject(...requiredApprovalTags: string[]) {
  const project = await approvalProject()
  const guard = (overrides: object = {}) => project.settings({ required: true, requiredApprovalTags, ...overrides })
  return { ...project, guard }
}

/** Returns an operation of a JSON Patch. */
export const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

/** Turns a flag on in production. */
export const on = replace('/environments/production/on', true)
