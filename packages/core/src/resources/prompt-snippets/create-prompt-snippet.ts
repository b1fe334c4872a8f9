import { projects } from '../../models/projects/project.ts'
import { promptSnippetRevisions, promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { newAgentText } from '../agent-texts/revise-agent-text.ts'
import { promptSnippetRequest, promptSnippetResponse, serializePromptSnippet } from './prompt-snippet-schema.ts'

export const createPromptSnippet = createOperation(promptSnippets, {
  id: 'createPromptSnippet',
  summary: 'Create a prompt snippet',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets',
  access: { action: 'createPromptSnippet', resource: 'proj/{projectKey}:prompt-snippet/{body.key}' },
  within: projects,
  body: promptSnippetRequest,
  make: (context, body, { projectKey }) =>
    newAgentText(context, { revisions: promptSnippetRevisions, keys: { projectKey, snippetKey: body.key } }, body),
  response: promptSnippetResponse,
  serialize: serializePromptSnippet,
})
