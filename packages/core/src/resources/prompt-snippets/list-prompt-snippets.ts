import { projects } from '../../models/projects/project.ts'
import { promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { promptSnippetResponse, serializePromptSnippet } from './prompt-snippet-schema.ts'

export const listPromptSnippets = listOperation(promptSnippets, {
  id: 'listPromptSnippets',
  summary: 'List the prompt snippets of a project, each in its newest version',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  response: promptSnippetResponse,
  serialize: serializePromptSnippet,
})
