import { approvalProject } from './approval-project.ts'

/** What a change that goes round an approval is told. */
export const refusal = {
  code: 'method_not_allowed',
  message: 'The environment production requires approval of this change: create an approval request',
}

/** Production wants changes of flags approved; with tags, only of those that have one. */
export async function guarded(...requiredApprovalTags: string[]) {
  const project = await approvalProject()
  const guard = (more: object = {}) => project.settings({ required: true, requiredApprovalTags, ...more })
  return { ...project, guard }
}

/** An operation of a JSON Patch. */
export const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

/** Turns a flag on in production. */
export const on = replace('/environments/production/on', true)
