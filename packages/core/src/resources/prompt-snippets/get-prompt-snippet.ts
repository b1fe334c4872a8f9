import { promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { promptSnippetResponse, serializePromptSnippet } from './prompt-snippet-schema.ts'

export const getPromptSnippet = getOperation(promptSnippets, {
  id: 'getPromptSnippet',
  summary: 'Get the newest version of a prompt snippet',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: promptSnippetResponse,
  serialize: serializePromptSnippet,
})
