import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { promptSnippets } from './prompt-snippet.ts'
import { presentPromptSnippet, promptSnippetWire } from './prompt-snippet-wire.ts'

export const getPromptSnippet = getOperation(promptSnippets, {
  id: 'getPromptSnippet',
  summary: 'Get the newest version of a prompt snippet',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: promptSnippetWire,
  serialize: presentPromptSnippet,
})
